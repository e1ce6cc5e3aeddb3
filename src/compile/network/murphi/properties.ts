/** Properties in the text: invariants over queues, and errors in the steps that they are about. */
import {
  isInRegion,
  needsWholeNetwork,
  type Endpoint,
  type Network,
  type NetworkProperty,
  type PacketData,
  type PacketEvent,
  usesBarriers,
} from "../../../model/network.js";
import type { Met } from "./met.js";
import type { Names } from "./names.js";

/** Properties over packets and other parts together are functions of whole states, which no text can name. */
export function whyNotWritten(network: Network): string | undefined {
  const { properties, controller } = network;
  // sound: test/compile/network/written.test.ts
  if (controller.barriers === "openflow" && usesBarriers(network))
    return "barriers follow OpenFlow; the published encoding processes them immediately";
  const whole = properties.find(needsWholeNetwork); // sound: test/session/network-questions.test.ts
  if (whole) return `property '${whole.name}' is about the network without reductions`;
  const found = properties.find(
    ({ check, observes }) =>
      check.form === "state" && (observes.tables || observes.switchPackets || observes.clientPackets),
  );
  return found && `property '${found.name}' relates packets or tables to each other`;
}

export function invariantsOf(network: Network, met: Met, names: Names): string[] {
  return network.properties.flatMap((property) => {
    const { check, name } = property;
    if (check.form === "state") {
      const view = (control: unknown) => ({ control, packets: () => [], isInstalled: () => false });
      const bad = statesWhere(met, (state) => !check.holds(view(state)));
      return bad === "never" ? [] : [`invariant ${quoted(name)} !(${condition(bad, names)});`];
    }
    if (check.form !== "packets") return [];
    const parts = queues(network, met, names).flatMap(({ variable, packet, place }) => {
      const { port, data } = met.symbols.packets[packet]!;
      const at: Endpoint = { ...place, port };
      if (!isInRegion(at, check.region)) return [];
      const bad = statesWhere(met, (state) => !check.holds(data, at, state));
      return bad === "never" ? [] : [`!(${variable} & ${condition(bad, names)})`];
    });
    return parts.length === 0 ? [] : [`invariant ${quoted(name)} ${parts.join(" & ")};`];
  });
}

/** Statements that stop the run if the event is bad for some property; `now`: the controller's state, if it is known. */
export function eventErrors(
  { network, met, names }: { readonly network: Network; readonly met: Met; readonly names: Names },
  event: PacketEvent,
  data: PacketData,
  at: Endpoint,
  moment: "decision" | "execution" | undefined,
  now?: number,
): string[] {
  return network.properties.flatMap(({ name, check }) => {
    if (check.form !== "event" || !check.events.includes(event)) return [];
    if (moment !== undefined && check.moment !== moment) return [];
    if (now !== undefined) return check.isBad(data, at, met.symbols.controls[now]) ? [failure(name)] : [];
    return failingIn(
      statesWhere(met, (state) => check.isBad(data, at, state)),
      name,
      names,
    );
  });
}

/** Clients that are served at once have no queue: deliveries to them are judged at once. */
export function deliveryErrors(
  context: { readonly network: Network; readonly met: Met; readonly names: Names },
  data: PacketData,
  to: Endpoint,
): string[] {
  const { network, met, names } = context;
  return network.properties.flatMap(({ name, check }: NetworkProperty) =>
    check.form === "packets" && isInRegion(to, check.region)
      ? failingIn(
          statesWhere(met, (state) => !check.holds(data, to, state)),
          name,
          names,
        )
      : [],
  );
}

export const failure = (name: string): string => `error ${quoted(`${name} is violated`)};`;

const quoted = (text: string): string => `"${text.replaceAll('"', "'")}"`;

/** Numbers of the controller's states. */
type States = "always" | "never" | readonly number[];

function statesWhere({ symbols }: Met, isSo: (state: unknown) => boolean): States {
  const found = symbols.controls.flatMap((state, number) => (isSo(state) ? [number] : []));
  if (found.length === 0) return "never";
  return found.length === symbols.controls.length ? "always" : found;
}

const condition = (states: States, { control }: Names): string =>
  typeof states === "string"
    ? String(states === "always")
    : `(${states.map((n) => `${control} = ${n}`).join(" | ")})`;

function failingIn(states: States, name: string, names: Names): string[] {
  if (states === "never") return [];
  return [states === "always" ? failure(name) : `if ${condition(states, names)} then ${failure(name)} end;`];
}

function queues(network: Network, met: Met, names: Names) {
  return [
    ...network.switches.flatMap((_, index) =>
      [...met.packets[index]!].map((packet) => ({
        variable: names.queued(index, packet),
        packet,
        place: { kind: "switch" as const, index },
      })),
    ),
    ...network.clients.flatMap((_, index) =>
      [...met.waiting[index]!.keys()].map((packet) => ({
        variable: names.waiting(index, packet),
        packet,
        place: { kind: "client" as const, index },
      })),
    ),
  ];
}

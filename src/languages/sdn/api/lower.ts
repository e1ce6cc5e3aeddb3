/** Lowers a description to a network: resolves names, numbers values, wraps handlers. */
import type { Diagnostic, Span } from "../../../model/diagnostic.js";
import { nth } from "../../../model/known.js";
import type {
  Network,
  NetworkClient,
  NetworkController,
  NetworkEvent,
  Outcome,
  PacketShape,
} from "../../../model/network.js";
import type { EndpointName, Name, NetworkItem } from "../ast.js";
import { withErrors } from "../builtin-properties.js";
import { diagnostic } from "../scope.js";
import { MOST_VISITED, resolveTopology } from "../topology.js";
import type {
  Change,
  EventDescription,
  EventOutcome,
  LinkEnds,
  NetworkDescription,
  PacketFields,
} from "./description.js";
import { chainsOf, formulasOf, lowerClaim, type DescribedFormula } from "./properties.js";
import { HandlerMistake, Vocabulary } from "./vocabulary.js";

export interface LoweredDescription {
  /** Absent if a diagnostic is an error. */
  readonly network: Network | undefined;
  readonly formulas: readonly DescribedFormula[];
  readonly diagnostics: readonly Diagnostic[];
}

export function lowerDescription<F extends PacketFields, S, E extends string>(
  description: NetworkDescription<F, S, E>,
  file: string,
): LoweredDescription {
  const span: Span = { file, start: 0, end: 0 };
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, message: string): void =>
    void diagnostics.push(diagnostic(code, message, span));
  const bad = (message: string): void => report("sdn/bad-description", message);
  const topology = resolveTopology(
    {
      kind: "network",
      name: { text: description.name ?? "network", span },
      items: items(description, span, bad),
      span,
    },
    report,
  );
  const shape: PacketShape = {
    fields: Object.entries(description.packet).map(([name, values]) => ({
      name,
      values: values.map(String),
    })),
    tracksVisited: description.tracksVisited ?? false,
    waypoints: [],
  };
  checkFields(description, topology.switches.length, bad);
  const places = new Vocabulary(topology, description.packet, shape);
  const words = new Vocabulary(topology, description.packet, {
    ...shape,
    waypoints: chainsOf(description.properties, (name) => places.place(name)),
  });
  const { errors = [], events = [], properties } = description;
  const lowering: Lowering<F, E> = { words, span, errors, bad };
  const clients = lowerClients(description, lowering);
  const stated = properties.flatMap(
    (claim) =>
      lowerClaim(claim, { name: claim.name, span }, words, (message) =>
        bad(`property '${claim.name}': ${message}`),
      ) ?? [],
  );
  reportSameNames(
    properties.map(({ name }) => name),
    bad,
  );
  const network: Network = {
    kind: "network",
    name: topology.name,
    switches: topology.switches.map(({ name, ports }) => ({ name: name.text, ports, span })),
    clients,
    links: topology.links,
    packet: words.shape,
    controller: lowerController(description.controller, lowering),
    events: events.map((event) => lowerEvent(event, lowering)),
    properties: withErrors(stated, errors.length > 0, span),
    errors: errors.map((message) => ({ message, span })),
    span,
  };
  const formulas = formulasOf(properties, words);
  return { network: diagnostics.length > 0 ? undefined : network, formulas, diagnostics };
}

interface Lowering<F extends PacketFields, E extends string> {
  readonly words: Vocabulary<F>;
  readonly span: Span;
  readonly errors: readonly E[];
  readonly bad: (message: string) => void;
}

function items<F extends PacketFields, S, E extends string>(
  { switches, clients, links, failingLinks = [] }: NetworkDescription<F, S, E>,
  span: Span,
  bad: (message: string) => void,
): NetworkItem[] {
  const name = (text: string): Name => ({ text, span });
  const endpoint = (end: string): EndpointName => {
    const [node = "", port = ""] = end.split(":");
    if (!/^\d+$/.test(port)) bad(`'${end}' is no port: write NODE:NUMBER`);
    return { node: name(node), port: Number(port), span };
  };
  const link =
    (mayFail: boolean) =>
    ([from, to]: LinkEnds): NetworkItem => ({
      kind: "link",
      ends: [endpoint(from), endpoint(to)],
      mayFail,
      span,
    });
  return [
    ...Object.entries(switches).map(([node, high]): NetworkItem => ({
      kind: "switch",
      names: [name(node)],
      ports: { low: 1, high, span },
    })),
    ...Object.keys(clients).map((node): NetworkItem => ({
      kind: "client",
      names: [name(node)],
      group: undefined,
      ports: undefined,
    })),
    ...links.map(link(false)),
    ...failingLinks.map(link(true)),
  ];
}

function checkFields<F extends PacketFields, S, E extends string>(
  { packet, tracksVisited, controller, sendLimit }: NetworkDescription<F, S, E>,
  switches: number,
  bad: (message: string) => void,
): void {
  for (const [name, values] of Object.entries(packet)) {
    if (values.length === 0) bad(`the packet field '${name}' has no values`);
    if (new Set(values).size < values.length) bad(`the packet field '${name}' has a value twice`);
  }
  if (tracksVisited && switches > MOST_VISITED) bad(`of at most ${MOST_VISITED} switches visits are tracked`);
  if ((controller.kappa ?? 1) < 1) bad("kappa must be at least 1");
  if (sendLimit !== undefined && !(Number.isInteger(sendLimit) && sendLimit > 0))
    bad("`sendLimit` takes a number from 1");
}

function reportSameNames(names: readonly string[], bad: (message: string) => void): void {
  for (const name of new Set(names.filter((each, i) => names.indexOf(each) < i)))
    bad(`there are several properties '${name}'`);
}

function lowerClients<F extends PacketFields, S, E extends string>(
  { clients }: NetworkDescription<F, S, E>,
  { words, span, bad }: Lowering<F, E>,
): NetworkClient[] {
  return Object.entries(clients).map(([name, client], index) => ({
    name,
    sends: (client.sends ?? []).flatMap((packet) => {
      try {
        return words.emissions(index, packet);
      } catch (error) {
        if (!(error instanceof HandlerMistake)) throw error;
        bad(`what '${name}' sends: ${error.message}`);
        return [];
      }
    }),
    receive: client.receive && {
      run: (data, port, state) =>
        guarded(`\`receive\` of '${name}'`, () =>
          client.receive!(words.packet(data), port).map((emits, way) => ({
            ...unchanged(state),
            label: emits.length === 0 ? "" : `way ${way + 1}`,
            emits: emits.flatMap((packet) => words.emissions(index, packet)),
          })),
        ),
      touchesController: false,
      usesBarriers: false,
      span,
    },
    span,
  }));
}

const unchanged = (state: unknown): Outcome => ({
  label: "",
  emits: [],
  commands: [],
  state,
  error: undefined,
});

function lowerController<F extends PacketFields, S, E extends string>(
  controller: NetworkDescription<F, S, E>["controller"],
  lowering: Lowering<F, E>,
): NetworkController {
  const { words } = lowering;
  const { switchNames } = words.topology;
  const usesThem = controller.sendsNoBarriers !== true;
  const portDown = controller.portDown?.bind(controller);
  const barrierReply = controller.barrierReply?.bind(controller);
  const withoutBarriers = <O extends Pick<Outcome, "commands">>(outcome: O): O => {
    if (!usesThem && outcome.commands.some(({ kind }) => kind === "barrier"))
      throw new HandlerMistake("it sends a barrier, and says that it sends none");
    return outcome;
  };
  return {
    kappa: controller.kappa ?? 1,
    initial: controller.initial,
    key: (state) => JSON.stringify(state) ?? "undefined",
    show: showState,
    packetIn: (data, at, port, state) =>
      guarded("`packetIn`", () => {
        const request = { packet: words.packet(data), at: nth(switchNames, at), port, state: state as S };
        const reply = controller.packetIn(request);
        const changed = withoutBarriers(change(reply, state, lowering));
        return { ...changed, ports: words.ports(at, port, reply.ports) };
      }),
    portDown:
      portDown &&
      ((at, port, state) =>
        guarded("`portDown`", () => {
          const reply = portDown({ at: nth(switchNames, at), port, state: state as S });
          return withoutBarriers(change(reply, state, lowering));
        })),
    barrierReply: barrierReply && {
      run: (at, state) =>
        guarded("`barrierReply`", () =>
          barrierReply({ at: nth(switchNames, at), state: state as S }).map((outcome) =>
            withoutBarriers(outcomeOf(outcome, state, lowering)),
          ),
        ),
      usesBarriers: usesThem,
    },
    // Conservative: the effects of a function are unknown before it runs.
    portDownUsesBarriers: controller.portDown !== undefined && usesThem,
    usesBarriers: usesThem,
    barriers: controller.barriers ?? "openflow",
    span: lowering.span,
  };
}

function showState(state: unknown): readonly { readonly name: string; readonly value: string }[] {
  const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  if (typeof state !== "object" || state === null || Array.isArray(state))
    return [{ name: "state", value: shown(state) ?? "" }];
  return Object.entries(state).map(([name, value]) => ({ name, value: shown(value) }));
}

function change<F extends PacketFields, E extends string>(
  given: Change<F, unknown, E>,
  state: unknown,
  { words, errors }: Lowering<F, E>,
): Pick<Outcome, "commands" | "state" | "error"> {
  const error = given.error === undefined ? undefined : errors.indexOf(given.error);
  if (error === -1) throw new HandlerMistake(`the error '${given.error}' is not among \`errors\``);
  return {
    commands: words.commands(given.commands),
    state: "state" in given ? given.state : state,
    error,
  };
}

function outcomeOf<F extends PacketFields, S, E extends string>(
  outcome: EventOutcome<F, S, E>,
  state: unknown,
  lowering: Lowering<F, E>,
): Outcome {
  const emits = (outcome.emits ?? []).flatMap(({ packet, at }) => lowering.words.arrivals(packet, at));
  return { label: outcome.label ?? "", emits, ...change(outcome, state, lowering) };
}

function lowerEvent<F extends PacketFields, S, E extends string>(
  event: EventDescription<F, S, E>,
  lowering: Lowering<F, E>,
): NetworkEvent {
  const usesBarriers = !event.sendsNoBarriers;
  return {
    name: event.name,
    run: (state) =>
      guarded(`the event '${event.name}'`, () =>
        event.run(state as S).map((outcome) => {
          const lowered = outcomeOf(outcome, state, lowering);
          if (!usesBarriers && lowered.commands.some(({ kind }) => kind === "barrier"))
            throw new HandlerMistake("it sends a barrier, and says that it sends none");
          return lowered;
        }),
      ),
    usesBarriers,
    span: lowering.span,
  };
}

/** Names the handler in errors that it throws. */
function guarded<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new HandlerMistake(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Fields, values and names of a system file that mean nothing: left alone, they would be faults that never happen. */
import type { Action, FaultDefinition, NetworkDefinition, SystemDefinition } from "./define.js";
import type { SystemSummary } from "./summary.js";

type Fields<T> = Readonly<Record<keyof T, true>>;

const ofSystem: Fields<SystemDefinition> = {
  nodes: true,
  network: true,
  faults: true,
  actions: true,
  budgets: true,
  timers: true,
  random: true,
  capture: true,
  symmetric: true,
  discard: true,
  ignore: true,
  guide: true,
  always: true,
  sometimes: true,
  eventually: true,
  recoverable: true,
  returns: true,
  messages: true,
  finished: true,
};
const ofNetwork: Fields<NetworkDefinition> = {
  capacity: true,
  loss: true,
  duplicates: true,
  order: true,
  links: true,
};
const ofFaults: Fields<FaultDefinition> = {
  crashes: true,
  crashing: true,
  crashesAt: true,
  unsynced: true,
  failures: true,
  failing: true,
  partitions: true,
};
const ofAction: Fields<Action> = { on: true, values: true, when: true, run: true, times: true, budget: true };

/** Runs in the realm, which alone sees all fields. */
export function unknownFields(system: SystemDefinition): string[] {
  const beyond = (record: object | undefined, known: object, path: string): string[] =>
    Object.keys(record ?? {})
      .filter((name) => !(name in known)) // sound: test/code/system/declared.test.ts
      .map((name) => path + name);
  return [
    ...beyond(system, ofSystem, ""),
    ...beyond(system.network, ofNetwork, "network."),
    ...beyond(system.faults, ofFaults, "faults."),
    ...Object.entries(system.actions ?? {}).flatMap(([name, action]) =>
      beyond(action, ofAction, `actions.${name}.`),
    ),
  ];
}

export function checkFields({
  unknown,
  nodes,
  network,
  faults,
  actions,
  timers,
  capture,
}: SystemSummary): void {
  if (unknown[0] !== undefined) throw new BadDeclaration(`a system has no field '${unknown[0]}'`);
  const oneOf = (path: string, value: string | undefined, values: readonly string[]): void => {
    if (value !== undefined && !values.includes(value))
      throw new BadDeclaration(`'${path}' must be one of: ${values.join(", ")}`); // sound: test/code/system/declared.test.ts
  };
  oneOf("timers", timers, ["any", "in-order"]);
  oneOf("capture", capture, ["auto", "replay"]);
  oneOf("network.order", network.order, ["any", "fifo"]);
  oneOf("faults.crashesAt", faults.crashesAt, ["any-effect", "between-handlers"]);
  oneOf("faults.unsynced", faults.unsynced, ["kept", "may-be-lost", "lost-in-order"]);
  const named = (path: string, names: readonly string[]): void => {
    const other = names.find((name) => !nodes.includes(name)); // sound: test/code/system/declared.test.ts
    if (other !== undefined) throw new BadDeclaration(`'${path}' names '${other}', which is no node`);
  };
  named("faults.crashing", faults.crashing ?? []);
  named("network.links", (network.links ?? []).flat());
  for (const { name, on } of actions) named(`actions.${name}.on`, on);
}

export class BadDeclaration extends Error {}

/** Turns the states of a search without violations into a proof that can be checked independently. */
import type {
  Amount,
  Configurations,
  MessageProgram,
  ProvenanceProof,
  ProvenanceProperty,
  Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Classes } from "./classes.js";
import type { CountingSystem } from "./system.js";

export function proofOf(
  program: MessageProgram,
  property: ProvenanceProperty,
  classes: Classes,
  system: CountingSystem,
  states: readonly Words[],
  k: number,
): ProvenanceProof {
  const numbers = Array.from({ length: classes.count }, (_, each) => each);
  const isDeclared = program.domain.kind === "declared";
  return {
    kind: "provenance",
    property: property.name,
    k,
    grain: system.runsToReceive ? "run-to-receive" : "statement",
    classes: {
      sent: isDeclared
        ? []
        : numbers.map((from) =>
            program.principals.map((_, principal) => classes.after({ kind: "send", principal }, from)),
          ),
      bad: classes.isBad,
      tests: classes.tests,
    },
    open: program.principals.flatMap(({ name, locations, variables }, principal) =>
      locations.flatMap((_, location) =>
        variables.flatMap((variable, x): [string, number, string][] =>
          system.isReset(principal, location, x) ? [[name, location, variable]] : [],
        ),
      ),
    ),
    invariant: largest(states, system).map((state) => configurations(program, system, state)),
  };
}

/** Keeps the maximal states: a state that another covers adds nothing. */
function largest(states: readonly Words[], system: CountingSystem): Words[] {
  const slots = system.cells.slots();
  const first = slots[0] ?? system.width;
  const isBelow = (a: Words, b: Words): boolean => slots.every((slot) => (a[slot] ?? 0) <= (b[slot] ?? 0));
  const groups = new Map<string, Words[]>();
  for (const state of states) {
    const key = state.subarray(0, first).join();
    const group = groups.get(key) ?? [];
    if (group.some((other) => isBelow(state, other))) continue;
    groups.set(key, [...group.filter((other) => !isBelow(other, state)), state]);
  }
  return [...groups.values()].flat();
}

function configurations(program: MessageProgram, system: CountingSystem, state: Words): Configurations {
  const content = (value: number): [string, number] => [
    nth(program.messages, system.messageIn(value)),
    system.classIn(value),
  ];
  const fixed = program.principals.flatMap(({ name, variables, isSpawned }, principal) => {
    if (isSpawned) return [];
    const location = system.locationOf(principal, state, 0);
    const values = system.valuesOf(principal, state, 0);
    const held = variables.flatMap((variable, x) =>
      system.isReset(principal, location, x)
        ? []
        : [[`${name}.${variable}`, content(nth(values, x))] as const],
    );
    return [{ name, location, held }];
  });
  const amount = (slot: number): Amount =>
    system.cells.isUnbounded(nth(state, slot)) ? "any" : nth(state, slot);
  const slots = system.cells.slots().filter((slot) => (state[slot] ?? 0) > 0);
  return {
    at: Object.fromEntries(fixed.map(({ name, location }) => [name, location])),
    holds: Object.fromEntries(fixed.flatMap(({ held }) => held)),
    pending: slots.flatMap((slot): Configurations["pending"][number][] => {
      const cell = system.cells.at(slot);
      if (cell.kind !== "message") return [];
      return [
        [nth(program.channels, cell.channel), nth(program.messages, cell.message), cell.class, amount(slot)],
      ];
    }),
    instances: slots.flatMap((slot): Configurations["instances"][number][] => {
      const cell = system.cells.at(slot);
      if (cell.kind !== "instance") return [];
      const { principal, location, values } = cell;
      const held = values.map((value, x) => (system.isReset(principal, location, x) ? null : content(value)));
      return [[nth(program.principals, principal).name, location, held, amount(slot)]];
    }),
  };
}

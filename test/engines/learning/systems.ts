/** Systems of the literature, as components. */
import { automatonOf, propertyLts } from "../../../src/engines/learning/automata.js";
import type { Component } from "../../../src/engines/learning/index.js";
import { LtsBuilder, TAU } from "../../../src/model/index.js";
import type { Random } from "../../../src/session/index.js";

/** Edges as `0 a 1`; state 0 is the initial one. The alphabet has all labels, and the labels in `extension`. */
export function component(
  name: string,
  edges: readonly string[],
  extension: readonly string[] = [],
): Component {
  const builder = new LtsBuilder();
  const alphabet = new Set(extension);
  let states = 1;
  for (const edge of edges) {
    const [from, label, to] = edge.split(" ") as [string, string, string];
    if (label !== "tau") alphabet.add(label);
    builder.add(Number(from), label === "tau" ? TAU : builder.labels.of(label), Number(to));
    states = Math.max(states, Number(from) + 1, Number(to) + 1);
  }
  return { name, lts: builder.finish(states, [0]), alphabet };
}

export const INPUT = component("Input", ["0 input 1", "1 send 2", "2 ack 0"]);
export const OUTPUT = component("Output", ["0 send 1", "1 output 2", "2 ack 0"]);
export const FAULTY = component("Output", ["0 send 1", "1 output 2", "2 ack 0", "1 ack 0"]);
export const ORDER = component("Order", ["0 input 1", "1 output 0"]);

/** Clients work internally, acquire, enter, exit and release. The property: clients `1` and `second` exclude each other. */
export function lockServer(
  clients: number,
  { work = 4, second = 2, isFaulty = false } = {},
): { readonly components: readonly Component[]; readonly property: Component } {
  const client = (i: number): Component =>
    component(`C${i}`, [
      ...Array.from({ length: work }, (_, s) => `${s} tau ${s + 1}`),
      `${work} acq${i} ${work + 1}`,
      `${work + 1} enter${i} ${work + 2}`,
      `${work + 2} exit${i} ${work + 3}`,
      `${work + 3} rel${i} 0`,
    ]);
  const all = Array.from({ length: clients }, (_, i) => client(i + 1));
  const server = component("Server", [
    ...all.flatMap((_, i) => [`0 acq${i + 1} ${i + 1}`, `${i + 1} rel${i + 1} 0`]),
    ...(isFaulty ? [`1 acq${clients} ${clients}`] : []),
  ]);
  // Forbids to enter while the other is inside, and nothing else.
  const property = component("mutex", [
    "0 enter1 1",
    "0 exit1 0",
    `0 enter${second} 2`,
    `0 exit${second} 0`,
    "1 enter1 1",
    "1 exit1 0",
    `1 exit${second} 1`,
    `2 enter${second} 2`,
    `2 exit${second} 0`,
    "2 exit1 2",
  ]);
  return { components: [all[0]!, all[1]!, server, ...all.slice(2)], property };
}

/**
 * The executive of a rover, after the description of the K9 executive: it takes an event, reads and clears a variable under a lock, and starts an action.
 * A condition checker reads the variable under the same lock and signals. Property: between `exec.read` and `exec.clear`, the checker does not
 * read. Faulty: after some events the executive reads without the lock.
 */
export function rover({ isFaulty = false } = {}): {
  readonly components: readonly Component[];
  readonly property: Component;
} {
  const chain = (from: number, labels: readonly string[], to: number, fresh: number): string[] =>
    labels.map((label, i) => {
      const [a, b] = [i === 0 ? from : fresh + i - 1, i === labels.length - 1 ? to : fresh + i];
      return `${a} ${label} ${b}`;
    });
  const cycle = (name: string, labels: readonly string[]): Component =>
    component(name, chain(0, labels, 0, 1));
  const executive = component("Executive", [
    ...chain(0, ["tau", "tau", "event", "exec.lock", "exec.read", "tau", "exec.clear", "exec.unlock"], 8, 1),
    ...chain(8, ["tau", "start", "done"], 0, 9),
    ...(isFaulty ? chain(3, ["tau", "exec.read", "exec.clear"], 8, 11) : []),
  ]);
  const checker = cycle("Checker", ["tau", "tau", "chk.lock", "chk.read", "tau", "chk.unlock", "signal"]);
  const lock = component("Lock", [
    ...chain(0, ["exec.lock", "exec.unlock"], 0, 1),
    ...chain(0, ["chk.lock", "chk.unlock"], 0, 2),
  ]);
  const actions = cycle("Actions", ["start", "tau", "tau", "tau", "done"]);
  const timer = cycle("Timer", ["tau", "tau", "tau", "tick"]);
  const queue = component("Queue", [
    ...[0, 1].flatMap((n) => [`${n} signal ${n + 1}`, `${n} tick ${n + 1}`]),
    ...[1, 2].map((n) => `${n} event ${n - 1}`),
  ]);
  const property = component("Undisturbed", [
    "0 exec.read 1",
    "1 exec.clear 0",
    "0 chk.read 0",
    "0 exec.clear 0",
    "1 exec.read 1",
  ]);
  return { components: [executive, checker, lock, actions, timer, queue], property };
}

/** With the property, whose violation is the error state. */
export function failing(components: readonly Component[], property: Component): readonly Component[] {
  const alphabet = [...property.alphabet];
  const lts = propertyLts(automatonOf(property.lts, alphabet), alphabet);
  return [...components, { name: "P", lts, alphabet: property.alphabet }];
}

/** Two to four components of three to six states, three to five actions, and a deterministic property. */
export function randomSystem(random: Random): {
  readonly components: readonly Component[];
  readonly property: Component;
} {
  const letters = ["a", "b", "c", "d", "e"].slice(0, 3 + random.below(3));
  const components = Array.from({ length: 2 + random.below(3) }, (_, i) =>
    randomComponent(random, `M${i}`, false, letters),
  );
  const known = new Set(components.flatMap(({ alphabet }) => [...alphabet]));
  const property = randomComponent(
    random,
    "P",
    true,
    letters.filter((letter) => known.has(letter)),
  );
  return { components, property };
}

function randomComponent(
  random: Random,
  name: string,
  isProperty: boolean,
  letters: readonly string[],
): Component {
  const states = isProperty ? 1 + random.below(3) : 3 + random.below(4);
  const own = letters.filter(() => random.below(3) > 0);
  const labels = isProperty || random.below(2) === 0 ? own : [...own, "tau"];
  const edges = labels.flatMap((label) =>
    Array.from({ length: states }, (_, s) => s).flatMap((s) =>
      random.below(3) > 0 ? [`${s} ${label} ${random.below(states)}`] : [],
    ),
  );
  return component(name, edges, random.below(4) === 0 ? own : []);
}

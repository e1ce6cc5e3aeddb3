/**
 * Declared groups of interchangeable nodes, and static checks of the declaration.
 *
 * `orbits.ts` identifies states that differ only in the names of such nodes; `representatives.ts` searches one of them,
 * and tests that they behave alike.
 */
import { renamedData, type Renaming } from "../heap/index.js";
import { CannotLoad } from "./source.js";
import type { SystemSummary } from "./summary.js";
import { nth } from "../../model/known.js";

export interface Permutation extends Renaming {
  /** By node: the index of its image. */
  readonly to: readonly number[];
}

/** Throws if the declaration is meaningless. */
export function checkDeclaration({ symmetric, nodes }: SystemSummary): void {
  const seen = new Set<string>();
  for (const name of symmetric.flat()) {
    if (!nodes.includes(name))
      throw new CannotLoad("code/not-symmetric", `'symmetric' names '${name}', which is not a node`);
    if (seen.has(name)) throw new CannotLoad("code/not-symmetric", `'symmetric' names '${name}' twice`);
    seen.add(name);
  }
}

/** Groups with at least two nodes. */
export const groupsOf = ({ symmetric }: SystemSummary): readonly (readonly string[])[] =>
  symmetric.filter((group) => group.length > 1);

/** Reason in the file why symmetry does not apply or is too expensive; undefined: none. */
export function whyAsymmetric(summary: SystemSummary): string | undefined {
  const groups = groupsOf(summary);
  const large = groups.find((group) => group.length > MOST_NODES);
  if (large) return `a group has ${large.length} nodes, and more than ${MOST_NODES} take too long`;
  const count = groups.reduce((product, group) => product * factorial(group.length), 1);
  if (count > MOST_PERMUTATIONS)
    return `there are ${count} ways to exchange names, and more than ${MOST_PERMUTATIONS} take too long`;
  if (summary.faults.corruptions || summary.faults.torn)
    return "names on a torn or corrupted disk cannot be exchanged"; // sound: test/code/system/disk-faults.test.ts
  if (summary.ignore.length > 0) return "states in which fields are ignored cannot be renamed";
  for (const group of groups)
    for (const other of group.slice(1)) {
      const why = whyDifferent(summary, nth(group, 0), other);
      if (why !== undefined) return `${group[0]} and ${other} are not alike: ${why}`;
    }
  return undefined;
}

const MOST_NODES = 5;
const MOST_PERMUTATIONS = 720;

function whyDifferent({ actions, network, faults }: SystemSummary, a: string, b: string): string | undefined {
  const names = new Map([
    [a, b],
    [b, a],
  ]);
  const isClosed = (values: readonly unknown[]): boolean => {
    const texts = (all: readonly unknown[]): string =>
      all
        .map((v) => JSON.stringify(v))
        .sort()
        .join();
    return texts(values) === texts(values.map((value) => renamedData(value, names)));
  };
  for (const { name, on, values } of actions) {
    if (!isClosed(on)) return `'${name}' happens to one of them only`;
    if (!isClosed(values)) return `the values of '${name}' name one of them only`;
  }
  if (faults.crashing && !isClosed(faults.crashing)) return "only one of them crashes";
  const links = network.links?.map((link) => [...link].map((n) => names.get(n) ?? n).sort());
  const before = network.links?.map((link) => [...link].sort());
  const text = (all: readonly string[][] | undefined): string =>
    [...new Set(all?.map(String))].sort().join(";");
  return text(links) === text(before) ? undefined : "they are linked with others in different ways";
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** All permutations within the groups, the identity first. */
export function permutationsOf(summary: SystemSummary): readonly Permutation[] {
  const groups = groupsOf(summary);
  let all: (readonly (readonly [string, string])[])[] = [[]];
  for (const group of groups)
    all = all.flatMap((pairs) =>
      arrangements(group).map((images) => [
        ...pairs,
        ...group.map((name, i): [string, string] => [name, nth(images, i)]),
      ]),
    );
  return all.map((pairs) => {
    const names = new Map(pairs);
    return { names, groups, to: summary.nodes.map((name) => summary.nodes.indexOf(names.get(name) ?? name)) };
  });
}

function arrangements(items: readonly string[]): string[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, i) =>
    arrangements([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [first, ...rest]),
  );
}

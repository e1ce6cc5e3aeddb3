/** Writes the inserted states of a search as a certificate: only the nodes that they mention, renumbered. */
import type { BooleanCover, BooleanProof } from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import type { Lit } from "./formulas.js";
import type { SearchProof } from "./search.js";

export function proofOf(property: string, proof: SearchProof): BooleanProof {
  const { formulas, states, live, steps, initialChoices } = proof;
  const compared = states.map(({ at }) => live(at));
  const mentioned = [
    ...initialChoices.map((input) => 2 * input),
    ...states.flatMap(({ values, guards }, index) => [
      ...guards,
      ...nth(compared, index).map((variable) => nth(values, variable)),
    ]),
    ...steps.flatMap(({ taken, to }) => [
      ...taken.fresh.map((input) => 2 * input),
      ...(to?.instances ?? []).flatMap((instance) => [...instance.values()]),
      ...(to?.instances ?? []).flatMap((instance) => [...instance.keys()].map((input) => 2 * input)),
    ]),
  ];
  const inputs: number[] = [];
  const conjunctions: { readonly node: number; readonly left: Lit; readonly right: Lit }[] = [];
  formulas.cone(mentioned, (node, left, right) => {
    if (left < 0) inputs.push(node);
    else conjunctions.push({ node, left, right });
  });
  const numbers = new Map<number, number>([[0, 0]]);
  for (const node of [...inputs, ...conjunctions.map((each) => each.node)]) numbers.set(node, numbers.size);
  const literal = (lit: Lit): number => 2 * entryOf(numbers, lit >> 1) + (lit & 1);
  const covers = steps.map(({ from, taken, to }): BooleanCover => ({
    from,
    thread: taken.thread,
    step: taken.step,
    choices: taken.fresh.map((input) => entryOf(numbers, input)),
    to: to?.state ?? -1,
    instances: (to?.instances ?? []).map((instance) =>
      [...instance].map(([input, lit]) => [entryOf(numbers, input), literal(lit)] as const),
    ),
  }));
  const initial: BooleanCover = {
    from: -1,
    thread: -1,
    step: -1,
    choices: initialChoices.map((input) => entryOf(numbers, input)),
    to: 0,
    instances: [[]],
  };
  return {
    kind: "boolean",
    property,
    inputs: inputs.length,
    ands: conjunctions.map(({ left, right }) => [literal(left), literal(right)] as const),
    sets: states.map(({ at, values, guards }, index) => ({
      at,
      values: nth(compared, index).map((variable) => [variable, literal(nth(values, variable))] as const),
      guards: guards.map(literal),
    })),
    covers: [initial, ...covers],
  };
}

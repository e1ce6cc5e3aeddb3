/** Models that can be made in any thread: each a recipe of plain data. */
import { COMPILER, compileRecipe } from "../../../src/compile/index.js";
import type { SearchOptions } from "../../../src/engines/explicit/search.js";
import type { MakeModel, Model, Recipe } from "../../../src/model/index.js";
import { productMaker } from "../../../src/transforms/product-model.js";
import { counters } from "../explicit/checking.js";
import { graphToy, toyModel, type GraphNode, type Toy } from "../explicit/toys.js";

export type MadeModel =
  | { readonly kind: "graph"; readonly nodes: readonly GraphNode[] }
  | { readonly kind: "counters"; readonly n: number; readonly limit: number }
  /** From state `i` to the states `2 i + 1` and `2 i + 2`: all of them are reached. */
  | { readonly kind: "list"; readonly states: readonly (readonly number[])[] }
  /** Fails in the thread that expands the state with that sum of counters, in that way. */
  | { readonly kind: "failing"; readonly sum: number; readonly how: "throw" | "exit" };

export const recipeOf = (data: MadeModel): Recipe => ({ maker: "toy", data });

export const modelOf = (data: MadeModel): Model => makeToy(recipeOf(data), 0);

export const ALL_ERRORS: SearchOptions = {
  order: "bfs",
  budget: {},
  control: {},
  maxErrors: Infinity,
  checksDeadlock: true,
  checksSite: [true, true, true],
  invariants: [0],
};
/** Only counts. */
export const NO_ERRORS: SearchOptions = {
  ...ALL_ERRORS,
  checksDeadlock: false,
  checksSite: [],
  invariants: [],
};

export const make: MakeModel = productMaker(makeToy);

export function makeToy(recipe: Recipe, width: number): Model {
  if (recipe.maker === COMPILER) return compileRecipe(recipe, width);
  return { ...toyModel({ ...toyOf(recipe.data as MadeModel), width }), recipe };
}

export function toyOf(data: MadeModel): Toy {
  switch (data.kind) {
    case "graph":
      return graphToy(data.nodes);
    case "counters":
      return counters(data.n, data.limit);
    case "list":
      return listToy(data.states);
    case "failing":
      return {
        ...counters(4, 12),
        next: (state) => {
          if (state.reduce((sum, n) => sum + n, 0) === data.sum) fail(data.how);
          return counters(4, 12).next(state);
        },
      };
  }
}

function fail(how: "throw" | "exit"): void {
  if (how === "exit") process.exit(7);
  throw new Error("broken on purpose");
}

/** The same state may occur several times in the list, and continues from all of them. */
function listToy(states: readonly (readonly number[])[]): Toy {
  const key = (state: readonly number[]): string => states[0]!.map((_, k) => state[k] ?? 0).join();
  const places = new Map<string, number[]>();
  states.forEach((state, i) => places.set(key(state), [...(places.get(key(state)) ?? []), i]));
  return {
    initial: states[0]!,
    next: (state) =>
      places
        .get(key(state))!
        .flatMap((i) => states.slice(2 * i + 1, 2 * i + 3))
        .map((to) => ({ to })),
    isValidEnd: () => true,
  };
}

/**
 * Statements that can only follow one other statement in the same entry, and always do: their code is emitted behind it, without a
 * jump and without storing the location in between.
 */
import type { Edge, Effect, Expr, Location, Place, Rules, Template } from "../../model/index.js";

/** Only in templates whose chains end by themselves: statements in a cycle are counted one by one. */
export class Straight {
  readonly #following = new Map<Edge, Follower>();
  /** Chains of the template have a cycle. */
  readonly isCyclic: boolean;

  constructor(template: Template, rules: Rules) {
    const { locations } = template;
    const goesOn = (edge: Edge): boolean => edge.keepsControl || locations[edge.to]!.inside === "step";
    this.isCyclic = hasCycle(locations, goesOn);
    if (this.isCyclic) return;
    const mayWait = rules.usesPriorities || template.provided !== undefined;
    const edges = locations.flatMap((l) => l.edges);
    const entries = new Int32Array(locations.length);
    for (const { to } of edges) entries[to]!++;
    for (const before of edges) {
      const location = locations[before.to]!;
      const [edge, other] = location.edges;
      // sound: test/compile/cases/control.test.ts
      if (!edge || other || !goesOn(before)) continue;
      // Code for several predecessors would be emitted several times.
      if (entries[before.to] !== 1) continue;
      // sound: test/compile/cases/control.test.ts
      if (mayWait && location.inside !== "step") continue;
      if (isPlain(edge)) this.#following.set(before, { location, edge, number: before.to });
    }
  }

  /** The statement that is executed behind `edge`. */
  after(edge: Edge): Follower | undefined {
    return this.#following.get(edge);
  }

  /** Locations between such statements: no chain begins there. */
  get locations(): ReadonlySet<number> {
    return new Set([...this.#following.values()].map(({ number }) => number));
  }
}

interface Follower {
  readonly location: Location;
  readonly edge: Edge;
  readonly number: number;
}

function hasCycle(locations: readonly Location[], goesOn: (edge: Edge) => boolean): boolean {
  const onPath = 1;
  const done = 2;
  const marks = new Uint8Array(locations.length);
  /** Locations on the path, each with the number of its edges that were followed. */
  const path: { l: number; next: number }[] = [];
  for (let start = 0; start < locations.length; start++) {
    if (marks[start] === 0) path.push({ l: start, next: 0 });
    for (let top = path.at(-1); top; top = path.at(-1)) {
      marks[top.l] = onPath;
      const edge = locations[top.l]!.edges[top.next++];
      if (!edge) {
        marks[top.l] = done;
        path.pop();
      } else if (goesOn(edge)) {
        // sound: test/compile/cases/limits.test.ts
        if (marks[edge.to] === onPath) return true;
        if (marks[edge.to] === 0) path.push({ l: edge.to, next: 0 });
      }
    }
  }
  return false;
}

/** Always executable, and independent of locations. */
const isPlain = ({ guard, communication, effects }: Edge): boolean =>
  // sound: test/compile/cases/control.test.ts
  guard.kind === "always" && !communication && effects.every(isPlainEffect);

function isPlainEffect(effect: Effect): boolean {
  // sound: test/compile/cases/control.test.ts
  if (effect.kind === "assert") return isPlainValue(effect.condition);
  return effect.kind === "assign" && isPlainPlace(effect.target) && isPlainValue(effect.value);
}

const isPlainPlace = ({ path }: Place): boolean =>
  path.every((step) => step.kind === "field" || isPlainValue(step.index));

/** Reads variables of the process and of the program alone. */
function isPlainValue(e: Expr): boolean {
  switch (e.kind) {
    case "constant":
    case "self":
      return true;
    case "load":
      return isPlainPlace(e.place);
    case "unary":
      return isPlainValue(e.operand);
    case "binary":
      return isPlainValue(e.left) && isPlainValue(e.right);
    case "conditional":
      return [e.test, e.then, e.otherwise].every(isPlainValue);
    default:
      return false;
  }
}

/**
 * Promela as translators of automata print it: one process type for each automaton, a label for each location, and for each edge
 * an option with a jump. A guard with effects is a `d_step`; with a communication it is `atomic`.
 */

export interface Edge {
  readonly to: string;
  readonly when?: string;
  /** A communication, such as `c!1`. */
  readonly by?: string;
  readonly then?: readonly string[];
}

/** An automaton's edges by location; the first location is the initial one. */
export type Edges = Readonly<Record<string, readonly Edge[]>>;

export function automaton(name: string, locals: string, edges: Edges): string {
  const locations = Object.entries(edges).map(([location, out]) =>
    out.length === 0 ? `${location}: false;` : `${location}: if\n${out.map(option).join("\n")}\nfi;`,
  );
  return `active proctype ${name}() {\n${locals}\n${locations.join("\n")}\n}\n`;
}

function option({ to, when, by, then = [] }: Edge): string {
  const statements = [...(when === undefined ? [] : [when]), ...(by === undefined ? [] : [by]), ...then];
  if (statements.length < 2) return `:: ${statements[0] ?? "true"}; goto ${to};`;
  return `:: ${by === undefined ? "d_step" : "atomic"} { ${statements.join("; ")} } goto ${to};`;
}

/** The texts of `make` for 0 up to `n - 1`. */
export const each = (n: number, make: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => make(i)).join("");

/** The values of `make` for 0 up to `n - 1`, in one list. */
export const all = <T>(n: number, make: (i: number) => readonly T[]): T[] =>
  Array.from({ length: n }, (_, i) => make(i)).flat();

/** Reads automata from Spin's verifier (`pan -d`) and from our programs, in a common form. */
import { basename, dirname, join } from "node:path";
import { copyFileSync, readdirSync } from "node:fs";
import type { Edge, Location, Program, Template } from "../../../src/model/index.js";
import { inTemporaryDirectory, runProcess } from "../../peers/process.js";

/** Reachable transitions by process type and state, in order of priority. */
export type Automata = ReadonlyMap<string, readonly Transition[]>;

interface Transition {
  readonly from: number;
  readonly to: number;
  /** Undefined if unknown: the verifier shows steps as indivisible, whether or not control is kept. */
  readonly isAtomic: boolean | undefined;
  /** The first state of the escape that this transition belongs to; otherwise 0. */
  readonly escape: number;
  /** Marks of its source. */
  readonly marks: string;
}

/** Undefined if Spin or the C compiler rejects the model. */
export async function automataOfSpin(
  file: string,
  defines: readonly string[] = [],
): Promise<Automata | undefined> {
  return inTemporaryDirectory(async (directory) => {
    for (const entry of readdirSync(dirname(file), { withFileTypes: true }))
      if (entry.isFile()) copyFileSync(join(dirname(file), entry.name), join(directory, entry.name));
    const run = (command: string, ...args: string[]): ReturnType<typeof runProcess> =>
      runProcess({ command, arguments: args, directory, timeoutMs: 60_000 });
    const spin = await run(
      "spin",
      "-o1",
      "-o2",
      "-o3",
      ...defines.map((d) => `-D${d}`),
      "-a",
      basename(file),
    );
    if (spin.exitCode !== 0) return undefined;
    const flags = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];
    const gcc = await run("gcc", "-O0", "-w", ...flags, "-o", "pan", "pan.c");
    if (gcc.exitCode !== 0) return undefined;
    return parseAutomata((await run("./pan", "-d")).stdout);
  });
}

export function automataOfProgram(program: Program): Automata {
  return new Map(program.templates.map((template) => [template.name, transitionsOf(template)]));
}

/** Differences in words; empty if the automata are equal. */
export function differences(spin: Automata, ours: Automata): string[] {
  return [...new Set([...spin.keys(), ...ours.keys()])].flatMap((name) => {
    const theirs = spin.get(name) ?? [];
    const own = ours.get(name) ?? [];
    const pairs = Array.from(
      { length: Math.max(theirs.length, own.length) },
      (_, i) => [theirs[i], own[i]] as const,
    );
    return pairs
      .filter(([a, b]) => !a || !b || !isSame(a, b))
      .map(
        ([a, b]) =>
          `${name}: Spin has ${a ? describe(a) : "nothing"}, we have ${b ? describe(b) : "nothing"}`,
      );
  });
}

const isSame = (a: Transition, b: Transition): boolean =>
  describe({ ...a, isAtomic: a.isAtomic && b.isAtomic }) ===
    describe({ ...b, isAtomic: a.isAtomic && b.isAtomic }) &&
  (a.isAtomic === undefined || a.isAtomic === b.isAtomic);

const describe = ({ from, to, isAtomic, escape, marks }: Transition): string =>
  `${from} -> ${to}${isAtomic ? " atomic" : ""}${escape === 0 ? "" : ` escape ${escape}`} ${marks}`;

function parseAutomata(output: string): Automata {
  const automata = new Map<string, Transition[]>();
  let current: Transition[] = [];
  for (const line of output.split("\n")) {
    const header = /^(?:proctype (.*)|(init)|claim .*|(?:no)?trace assertion)$/.exec(line);
    if (header) {
      current = [];
      const name = header[1] ?? header[2];
      if (name !== undefined) automata.set(name, current);
    }
    const match = transitionLine.exec(line);
    if (!match) continue;
    const { case: number, from, to, escape, kind, marks, text } = match.groups!;
    // A selection of only `false` options is shown as a transition to state 0 that is never taken.
    if (number === "0") continue;
    const isAtomic = text!.startsWith("D_STEP") ? undefined : kind === "A";
    current.push({
      from: Number(from),
      to: Number(to),
      isAtomic,
      escape: Number(escape ?? 0),
      marks: marks!,
    });
  }
  return new Map([...automata].map(([name, all]) => [name, reachable(all, all[0]?.from ?? 0)]));
}

/** Matches `state  14 -(tr  10)-> state  10  [id   8 tp   2 org   3] [A-e-G] a.pml:7 => ((g==1))`. */
const transitionLine = new RegExp(
  String.raw`^\tstate +(?<from>\d+) -\(tr +(?<case>\d+)\)-> state +(?<to>\d+) +` +
    String.raw`\[id +\d+ tp +\d+(?:,\d+)?(?: org +(?<escape>\d+))?\] ` +
    String.raw`\[(?<kind>.)(?<marks>...).\] .*? => (?<text>.*)$`,
);

function transitionsOf(template: Template): Transition[] {
  const { locations, initial } = template;
  const numberOf = (location: number): number => locations[location]!.number!;
  const all = locations.flatMap((location, index) =>
    location.number === undefined ? [] : location.edges.map((edge) => transitionOf(edge, location, index)),
  );
  function transitionOf(edge: Edge, location: Location, index: number): Transition {
    const isDeath = edge.effects.some(({ kind }) => kind === "die");
    return {
      from: numberOf(index),
      to: isDeath ? 0 : numberOf(restingPlace(edge, locations)),
      isAtomic: edge.keepsControl,
      escape: edge.escapeGroup,
      marks: `${location.isAccept ? "a" : "-"}${location.isEnd ? "e" : "-"}${location.isProgress ? "p" : "-"}`,
    };
  }
  return reachable(all, numberOf(initial));
}

/** The target after an indivisible step. */
function restingPlace(edge: Edge, locations: readonly Location[]): number {
  const seen = new Set<number>();
  const queue = [edge.to];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (locations[at]!.inside === "none") return at;
    if (seen.has(at)) continue;
    seen.add(at);
    queue.push(...locations[at]!.edges.map(({ to }) => to));
  }
  throw new Error("a step without an end");
}

/** By state, in order of transitions. */
function reachable(all: readonly Transition[], initial: number): Transition[] {
  const seen = new Set<number>();
  const queue = [initial];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    queue.push(...all.filter(({ from }) => from === at).map(({ to }) => to));
  }
  return all.filter(({ from }) => seen.has(from)).toSorted((a, b) => a.from - b.from);
}

/**
 * χ in Promela: one process a part, its residual terms as labels, one step a move, so that Spin and we agree on states and deadlocks.
 *
 * A guard stands in the index of a rendezvous channel, `m[(x == 1)]!e`: nothing ever receives from or sends to `m[0]`, so the guard is evaluated
 * together with the communication. `atomic { x == 1 -> m!e }` would evaluate it before.
 */
import {
  renamedApart,
  renderChi,
  type ChiAction,
  type ChiCondition,
  type ChiExpr,
  type ChiPlace,
  type ChiProgram,
  type ChiRead,
  type ChiType,
  type ChiVariable,
  type Span,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import { partsOf, type ChiPart, type PartStep } from "./parts.js";

export interface ChiPromela {
  readonly text: string;
  /** By line, from 1: the part and its transition. */
  readonly lines: ReadonlyMap<number, PartLine>;
}

export interface PartLine {
  readonly part: number;
  readonly transition: number;
  /** The receive that follows is the same step. */
  readonly isSend: boolean;
}

/** A construct that has no counterpart. */
class NoCounterpart extends Error {}

/** `where`: a position as text, for the table of lines. */
export function promelaOfChi(
  program: ChiProgram,
  where: (span: Span) => string = ({ start }) => `${start}`,
): ChiPromela | { readonly why: string } {
  try {
    return new Printer(program).print(where);
  } catch (error) {
    if (error instanceof NoCounterpart) return { why: error.message };
    throw error;
  }
}

class Printer {
  readonly #program: ChiProgram;
  readonly #parts: ReturnType<typeof partsOf>;
  readonly #names = new Map<string, string>();

  constructor(program: ChiProgram) {
    this.#program = program;
    const taken = new Set(program.globals.map(({ name }) => name));
    this.#parts = partsOf(renamedApart(program.system, taken), program.channels);
    const used = new Set(RESERVED);
    const spell = (name: string): string => {
      let own = name;
      for (let n = 2; used.has(own); n++) own = `${name}_${n}`;
      used.add(own);
      return own;
    };
    for (const { name } of [...program.globals, ...this.#parts.locals]) this.#names.set(name, spell(name));
    for (const { name } of program.channels) this.#names.set(`${name}!`, spell(name));
  }

  print(where: (span: Span) => string): ChiPromela {
    const { parts, locals, vectors } = this.#parts;
    if (vectors.some(({ label }) => label.endsWith("!") || /\?\d+$/.test(label)))
      throw new NoCounterpart("the model is open, and a channel of Promela is not: put `encap(…)` around it");
    this.#refuseGroups();
    const variables = [...this.#program.globals, ...locals].map((variable) => this.#declare(variable));
    const channels = this.#program.channels.map(
      ({ name, type }) => `chan ${this.#channel(name)}[2] = [0] of { ${this.#messageType(name, type)} };`,
    );
    const body: {
      readonly text: string;
      readonly of?: PartLine;
    }[] = [];
    for (const [i, part] of parts.entries()) body.push(...this.#process(part, i));
    const steps = body.filter(({ of }) => of !== undefined).length;
    const first = steps + 3 + variables.length + channels.length;
    const lines = new Map<number, PartLine>();
    const table: string[] = [];
    for (const [i, { of }] of body.entries()) {
      if (!of) continue;
      lines.set(first + i, of);
      const { spans } = nth(nth(parts, of.part).steps, of.transition).move;
      table.push(`   line ${first + i}: ${spans.map(where).join(", ")}`);
    }
    const head = ["/* Generated from χ; lines and their positions:", ...table, "*/"];
    const all = [...head, ...variables, ...channels, ...body.map(({ text }) => text)];
    return { text: `${all.join("\n")}\n`, lines };
  }

  /** Promela cuts a message to its type, so a channel whose values may not fit carries larger ones. */
  #messageType(name: string, type: ChiType): string {
    if (type.kind !== "int") return typeName(type);
    const { low, high } = this.#sentOn(name);
    return low >= type.low && high <= type.high ? typeName(type) : "int";
  }

  /** Encapsulations that share a channel name would need channels of different names. */
  #refuseGroups(): void {
    const { parts, vectors } = this.#parts;
    for (const { name } of this.#program.channels) {
      const users = parts.flatMap(({ lts }, i) =>
        lts.labels.some((label) => label === `${name}!` || label === `${name}?`) ? [i] : [],
      );
      // A vector to a part that never receives on the channel is no pair.
      const pairs = vectors.filter(
        ({ label, labels }) =>
          label === `${name}?` &&
          labels.every((own, i) => own === undefined || nth(parts, i).lts.labels.includes(own)),
      );
      const senders = users.filter((i) => nth(parts, i).lts.labels.includes(`${name}!`));
      const receivers = users.filter((i) => nth(parts, i).lts.labels.includes(`${name}?`));
      const wanted = senders.reduce((sum, i) => sum + receivers.filter((j) => j !== i).length, 0);
      if (pairs.length !== wanted)
        throw new NoCounterpart(`channel '${name}' is used in several encapsulations`);
    }
  }

  #declare({ name, type, initial }: ChiVariable): string {
    const own = entryOf(this.#names, name);
    if (type.kind !== "array") return `${typeName(type)} ${own} = ${initial[0] ?? 0};`;
    if (new Set(initial).size > 1)
      throw new NoCounterpart(`the elements of '${name}' begin with different values`);
    return `${typeName(type.of)} ${own}[${type.length}] = ${initial[0] ?? 0};`;
  }

  #process(part: ChiPart, index: number) {
    const lines: { text: string; of?: PartLine }[] = [{ text: `active proctype ${part.name}() {` }];
    const { firsts } = part.lts;
    for (const [s, node] of part.nodes.entries()) {
      const ends = part.control.ends(node);
      if (ends.kind !== "always" && ends.kind !== "never")
        throw new NoCounterpart("a component terminates on a condition, and an end label has none");
      const term = renderChi(part.control.termOf(node)).replaceAll("*/", "* /");
      lines.push({ text: `${labelOf(s, ends.kind === "always")}: /* ${term} */` });
      if (firsts[s] === firsts[s + 1]) {
        // A term without moves waits for ever; as the end of a process it would let others end first.
        lines.push({ text: "  false;" });
        continue;
      }
      lines.push({ text: "  if" });
      for (let t = firsts[s]; t < firsts[s + 1]; t++) {
        const to = part.lts.targets[t];
        const ended = part.control.ends(nth(part.nodes, to)).kind === "always";
        const step = nth(part.steps, t);
        const text = this.#step(step);
        // Spin refuses a loop of one unconditional step.
        const shown = to === s && text === "true" ? "(_nr_pr > 0)" : text;
        lines.push({
          text: `  :: ${shown} -> goto ${labelOf(to, ended)}`,
          of: { part: index, transition: t, isSend: step.move.action.kind === "send" },
        });
      }
      lines.push({ text: "  fi;" });
    }
    lines.push({ text: "}" });
    return lines;
  }

  #step({ move }: PartStep): string {
    const { when, action } = move;
    const guard = this.#condition(when);
    const written = placeOf(action);
    const resets = move.resets
      .filter(({ name }) => name !== written?.name)
      .map(({ name, type, initial }) => {
        if (type.kind === "array")
          throw new NoCounterpart(`the array '${name}' is declared inside a star or a choice`);
        return `${entryOf(this.#names, name)} = ${initial[0] ?? 0}`;
      });
    if (written && written.path.length > 0 && move.resets.some(({ name }) => name === written.name))
      throw new NoCounterpart(`the array '${written.name}' is declared inside a star`);
    switch (action.kind) {
      case "tau":
        return together(guard, resets);
      case "assign":
        return together(guard, [...this.#assign(action.to.of, this.#read(action.value)), ...resets]);
      case "communicate": {
        const value = action.value ? this.#read(action.value) : "0";
        return together(guard, [...(action.to ? this.#assign(action.to.of, value) : []), ...resets]);
      }
      case "send":
        return followed(
          `${this.#channel(action.channel)}[${guard ?? "1"}]!${action.value ? this.#read(action.value) : "0"}`,
          resets,
        );
      case "receive":
        return followed(
          `${this.#channel(action.channel)}[${guard ?? "1"}]?${action.to ? this.#place(action.to.of, action.to.fresh) : "_"}`,
          [...this.#received(action.channel, action.to?.of), ...resets],
        );
    }
  }

  #assign(to: ChiPlace, value: string): string[] {
    const type = to.type;
    const checks = type.kind === "int" ? [`assert(${value} >= ${type.low} && ${value} <= ${type.high})`] : [];
    return [...checks, `${this.#place(to, [])} = ${value}`];
  }

  /** A message outside the type of its channel or variable is an error, where a sender may have one. */
  #received(channel: string, to: ChiPlace | undefined): string[] {
    const declared = this.#program.channels.find(({ name }) => name === channel)?.type;
    if (!to || declared?.kind !== "int" || to.type.kind !== "int") return [];
    const low = Math.max(declared.low, to.type.low);
    const high = Math.min(declared.high, to.type.high);
    const sent = this.#sentOn(channel);
    // sound: test/session/chi-trail.test.ts
    if (sent.low >= low && sent.high <= high) return [];
    const place = this.#place(to, []);
    return [`assert(${place} >= ${low} && ${place} <= ${high})`];
  }

  /** The least and the greatest value that may be sent. */
  #sentOn(channel: string): Interval {
    const values = this.#parts.parts.flatMap(({ steps }) =>
      steps.flatMap(({ move: { action } }) =>
        action.kind === "send" && action.channel === channel && action.value
          ? [intervalOf(action.value.of)]
          : [],
      ),
    );
    return {
      low: Math.min(...values.map(({ low }) => low)),
      high: Math.max(...values.map(({ high }) => high)),
    };
  }

  #channel(name: string): string {
    return entryOf(this.#names, `${name}!`);
  }

  #read({ of, fresh }: ChiRead<ChiExpr>): string {
    return this.#expr(of, fresh);
  }

  #condition(condition: ChiCondition): string | undefined {
    switch (condition.kind) {
      case "always":
        return undefined;
      case "never":
        return "(false)";
      case "test":
        return `(${this.#expr(condition.expr, condition.fresh)})`;
      case "and":
      case "or": {
        const left = this.#condition(condition.left) ?? "true";
        const right = this.#condition(condition.right) ?? "true";
        return `(${left} ${condition.kind === "and" ? "&&" : "||"} ${right})`;
      }
    }
  }

  #place({ name, path }: ChiPlace, fresh: readonly ChiVariable[]): string {
    const indices = path.map((step) => {
      if (step.kind === "field" || step.isList)
        throw new NoCounterpart("tuples and lists have no counterpart");
      return `[${this.#expr(step.at, fresh)}]`;
    });
    if (indices.length > 1) throw new NoCounterpart("arrays of arrays have no counterpart");
    return `${entryOf(this.#names, name)}${indices.join("")}`;
  }

  #expr(expr: ChiExpr, fresh: readonly ChiVariable[]): string {
    switch (expr.kind) {
      case "value":
        typeName(expr.type);
        return `${expr.value[0] ?? 0}`;
      case "place": {
        const declared = fresh.find(({ name }) => name === expr.name);
        if (!declared) return this.#place(expr, fresh);
        if (expr.path.length > 0)
          throw new NoCounterpart(`the array '${expr.name}' is declared inside a star`);
        return `${declared.initial[0] ?? 0}`;
      }
      case "unary":
        return `${expr.operator === "not" ? "!" : "-"}(${this.#expr(expr.of, fresh)})`;
      case "binary": {
        const left = this.#expr(expr.left, fresh);
        const right = this.#expr(expr.right, fresh);
        if (expr.operator === "=>") return `(!(${left}) || ${right})`;
        return `(${left} ${OPERATORS[expr.operator] ?? expr.operator} ${right})`;
      }
      case "compose":
      case "call":
        throw new NoCounterpart("tuples and lists have no counterpart");
    }
  }
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

const EVERYTHING: Interval = { low: -Infinity, high: Infinity };

function intervalOf(expr: ChiExpr): Interval {
  if (expr.kind === "value") return { low: expr.value[0] ?? 0, high: expr.value[0] ?? 0 };
  if (expr.kind === "place" && expr.type.kind === "int") return expr.type;
  if (expr.kind !== "binary") return EVERYTHING;
  const [a, b] = [intervalOf(expr.left), intervalOf(expr.right)];
  switch (expr.operator) {
    case "+":
      return { low: a.low + b.low, high: a.high + b.high };
    case "-":
      return { low: a.low - b.high, high: a.high - b.low };
    case "%":
      return a.low >= 0 && b.low > 0 ? { low: 0, high: Math.min(a.high, b.high - 1) } : EVERYTHING;
    default:
      return EVERYTHING;
  }
}

const OPERATORS: Readonly<Record<string, string>> = { "=": "==", and: "&&", or: "||" };

const placeOf = (action: ChiAction): ChiPlace | undefined => ("to" in action ? action.to?.of : undefined);

const labelOf = (state: number, isEnd: boolean): string => `${isEnd ? "end_" : ""}L${state}`;

/** One step: the effects happen with the guard. */
function together(guard: string | undefined, effects: readonly string[]): string {
  if (effects.length === 0) return guard ?? "true";
  // Spin lets a `d_step` that begins with an assertion run between a send and its receive, but not one that begins with a condition.
  // sound: test/session/chi-trail.test.ts
  const first = guard ?? (nth(effects, 0).startsWith("assert") ? "true" : undefined);
  const all = first === undefined ? effects : [first, ...effects];
  return all.length === 1 ? nth(all, 0) : `d_step { ${all.join("; ")} }`;
}

/** Checks of a message, and resets of local variables that the step leaves, happen afterwards, in a step that no other process can see. */
const followed = (step: string, resets: readonly string[]): string =>
  resets.length === 0 ? step : `${step} -> d_step { ${resets.join("; ")} }`;

function typeName(type: ChiType): string {
  switch (type.kind) {
    case "bool":
      return "bool";
    case "enum":
      return "byte";
    case "int":
      if (type.low >= 0 && type.high <= 255) return "byte";
      return type.low >= -32768 && type.high <= 32767 ? "short" : "int";
    case "unit":
      return "bit";
    case "array":
    case "tuple":
    case "list":
      throw new NoCounterpart("messages and values of Promela are numbers");
  }
}

/** Words of Promela, and our processes. */
const RESERVED =
  "active assert atomic bit bool break byte chan d_step do else empty enabled end eval false fi for full goto hidden if in init inline int len local ltl mtype nempty never nfull np_ od of pc_value pid printf priority proctype provided run select short show skip timeout trace true typedef unless unsigned xr xs _ _pid _last _nr_pr".split(
    " ",
  );

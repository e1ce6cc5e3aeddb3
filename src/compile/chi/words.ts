/** The shared words of a χ system: global variables, then those of scopes; conditions and effects of steps on them. */
import {
  ChiFault,
  chiCondition,
  chiEvaluator,
  chiLocator,
  chiWords,
  isChiValue,
  renderChiPlace,
  renderChiValue,
  type ChiAction,
  type ChiChannel,
  type ChiCondition,
  type ChiPlace,
  type ChiRead,
  type ChiExpr,
  type ChiType,
  type ChiValue,
  type ChiVariable,
  type Site,
  type Words,
} from "../../model/index.js";
import { entryOf, known, nth } from "../../model/known.js";
import type { SharedWords } from "../lts.js";
import type { ChiParts, PartStep } from "./parts.js";

type Test = (words: Words, at: number) => boolean;

/** A step that can be executed. */
interface Compiled {
  readonly allows: Test;
  readonly step: PartStep;
  /** Value that is written or sent, and the place of a write; undefined: none. */
  readonly value: ((words: Words, at: number) => ChiValue) | undefined;
  readonly locate: ((words: Words, at: number) => number) | undefined;
  readonly resets: readonly ChiVariable[];
  /** Of its faults. */
  readonly site: number;
}

/** Labels: 0 is τ. */
export const CHI_TAU = 0;

export class ChiWords implements SharedWords {
  readonly width: number;
  readonly names: (string | undefined)[] = [undefined];
  readonly #offsets = new Map<string, number>();
  readonly #variables: readonly ChiVariable[];
  readonly #initial: Int32Array;
  readonly #steps: readonly (readonly Compiled[])[];
  readonly #ends: readonly (readonly Test[])[];
  readonly #partCount: number;
  readonly #channels: ReadonlyMap<string, ChiType>;
  readonly #numbers = new Map<string, number>();
  readonly #sites = new Map<string, number>();
  readonly #scratch: Int32Array<ArrayBuffer>;
  readonly sites: Site[] = [];
  readonly #writesAgents: boolean;

  constructor(
    { parts, locals }: ChiParts,
    globals: readonly ChiVariable[],
    channels: readonly ChiChannel[],
    writesAgents = false,
  ) {
    this.#variables = [...globals, ...locals];
    this.#channels = new Map(channels.map(({ name, type }) => [name, type]));
    this.#partCount = parts.length;
    this.#writesAgents = writesAgents;
    let width = 0;
    for (const { name, type } of this.#variables) {
      this.#offsets.set(name, parts.length + width);
      width += chiWords(type);
    }
    this.width = width;
    this.#initial = Int32Array.from(this.#variables.flatMap(({ initial }) => [...initial]));
    this.#scratch = new Int32Array(parts.length + width);
    this.#steps = parts.map(({ steps }) => steps.map((step) => this.#compile(step)));
    this.#ends = parts.map(({ nodes, control }) => nodes.map((node) => this.#condition(control.ends(node))));
  }

  /** First word of a variable in a state. */
  readonly offsetOf = (name: string): number => entryOf(this.#offsets, name);

  initial(words: Words, at: number): void {
    words.set(this.#initial, at);
  }

  allows(part: number, transition: number, state: Words, at: number): number {
    const compiled = nth(nth(this.#steps, part), transition);
    try {
      return compiled.allows(state, at) ? 1 : 0;
    } catch (error) {
      return ~siteOf(error, compiled);
    }
  }

  isEnd(state: Words, at: number): boolean {
    try {
      return this.#ends.every((tests, part) => nth(tests, (state[at + part] ?? 1) - 1)(state, at));
    } catch (error) {
      if (error instanceof ChiFault) return false;
      throw error;
    }
  }

  step(_action: number, taken: Int32Array, state: Words, at: number, words: Words, to: number): number {
    const movers = this.moversOf(taken);
    const after = this.#partCount;
    for (let i = after; i < after + this.width; i++) words[to + i] = state[at + i] ?? 0;
    try {
      const label = this.#execute(movers, state, at, words, to);
      return this.#writesAgents ? agentsOf(taken) : label;
    } catch (error) {
      return ~siteOf(error, nth(movers, 0));
    }
  }

  /** The steps taken, that of a sender first. */
  moversOf(taken: Int32Array): readonly Compiled[] {
    const movers: Compiled[] = [];
    for (let part = 0; part < taken.length; part++) {
      const t = taken[part] ?? -1;
      if (t < 0) continue;
      const compiled = nth(nth(this.#steps, part), t);
      if (compiled.step.move.action.kind === "send") movers.unshift(compiled);
      else movers.push(compiled);
    }
    return movers;
  }

  #execute(movers: readonly Compiled[], state: Words, at: number, words: Words, to: number): number {
    const [first, second] = movers;
    if (!first) throw new Error("a step without a mover");
    const { action } = first.step.move;
    const writer = second ?? first;
    const value = first.step.received ?? first.value?.(state, at) ?? [];
    const place = placeOf(writer.step.move.action);
    const location = writer.locate?.(state, at);
    if ("channel" in action) this.#fits(entryOf(this.#channels, action.channel), value, first.step);
    // sound: test/languages/chi/traps.test.ts
    for (const { resets } of movers) for (const variable of resets) this.#reset(variable, words, to);
    if (place && location !== undefined) {
      this.#fits(place.type, value, writer.step);
      const size = chiWords(place.type);
      for (let i = 0; i < size; i++) words[to + location + i] = value[i] ?? 0;
    }
    return this.#label(second ? "communicate" : action.kind, action, place, location, value, state, at);
  }

  #reset({ name, initial }: ChiVariable, words: Words, to: number): void {
    const start = to + this.offsetOf(name);
    initial.forEach((word, i) => (words[start + i] = word));
  }

  /** A value outside its type is an error of the program, never cut. */
  #fits(type: ChiType, value: ChiValue, { move }: PartStep): void {
    // sound: test/languages/chi/traps.test.ts
    if (isChiValue(type, value)) return;
    throw new ChiFault(
      `${renderChiValue(type, value)} is not in the range of its type`,
      known(move.spans[0], "a position"),
    );
  }

  /** `τ`, `x := 1`, `m!1`, `m?1`, and `m!?1` for a communication. */
  #label(
    kind: ChiAction["kind"],
    action: ChiAction,
    place: ChiPlace | undefined,
    location: number | undefined,
    value: ChiValue,
    state: Words,
    at: number,
  ): number {
    if (kind === "tau") return CHI_TAU;
    const channel = "channel" in action ? action.channel : "";
    const key = `${kind} ${channel === "" ? `${place?.name ?? ""} ${location ?? ""}` : channel} ${value.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const type = channel === "" ? place?.type : this.#channels.get(channel);
    const shown = type ? renderChiValue(type, value) : "";
    const target = place ? renderChiPlace(this.#atIndices(place, state, at)) : "";
    const name = channel === "" ? `${target} := ${shown}` : `${channel}${SIGNS[kind]}${shown}`;
    const number = this.names.push(name) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** The place with the values of its indices: `a[1]`, not `a[i]`. */
  #atIndices(place: ChiPlace, state: Words, at: number): ChiPlace {
    const path = place.path.map((step) => {
      if (step.kind !== "index") return step;
      const [index = 0] = chiEvaluator(step.at, this.offsetOf)(state, at);
      return {
        ...step,
        at: { kind: "value", value: [index], type: { kind: "int", low: index, high: index } } as const,
      };
    });
    return { ...place, path };
  }

  #compile(step: PartStep): Compiled {
    const { when, action, resets } = step.move;
    const value = "value" in action && action.value ? this.#reader(action.value) : undefined;
    const to = "to" in action ? action.to : undefined;
    const inner = to && chiLocator(to.of, this.offsetOf);
    const locate = to && inner && this.#viewed(inner, to.fresh);
    return { allows: this.#condition(when), step, value, locate, resets, site: this.#siteAt(step) };
  }

  #reader({ of, fresh }: ChiRead<ChiExpr>): (words: Words, at: number) => ChiValue {
    return this.#viewed(chiEvaluator(of, this.offsetOf), fresh);
  }

  /** Evaluates in the state in which some variables are as they were declared. */
  #viewed<T>(
    evaluate: (words: ArrayLike<number>, at: number) => T,
    fresh: readonly ChiVariable[],
  ): (words: Words, at: number) => T {
    if (fresh.length === 0) return evaluate;
    return (words, at) => {
      const view = this.#scratch;
      view.set(words.subarray(at, at + view.length));
      // sound: test/languages/chi/traps.test.ts
      for (const variable of fresh) this.#reset(variable, view, 0);
      return evaluate(view, 0);
    };
  }

  #condition(condition: ChiCondition): Test {
    switch (condition.kind) {
      case "always":
        return () => true;
      case "never":
        return () => false;
      case "test":
        return this.#viewed(chiCondition(condition.expr, this.offsetOf), condition.fresh);
      case "and":
      case "or": {
        const left = this.#condition(condition.left);
        const right = this.#condition(condition.right);
        return condition.kind === "and"
          ? (words, at) => left(words, at) && right(words, at)
          : (words, at) => left(words, at) || right(words, at);
      }
    }
  }

  /** One for all steps at a position: sites are numbered before the search. */
  #siteAt({ move: { spans, action } }: PartStep): number {
    const span = known(spans[0], "a position");
    const key = `${span.file}:${span.start}`;
    const found = this.#sites.get(key);
    if (found !== undefined) return found;
    this.#sites.set(key, this.sites.length);
    const what = "channel" in action ? "communication" : action.kind === "assign" ? "assignment" : "step";
    const message = `a value of this ${what} is undefined or outside its range`;
    return this.sites.push({ fault: "out-of-range", message, span }) - 1;
  }

  /** The first `count` variables as text, whatever their order in the declaration. */
  shown(state: Words, at: number, count: number): string {
    return this.valuesAt(state, at, count)
      .map(({ name, value }) => `${name}=${value}`)
      .sort()
      .join(" ");
  }

  /** Values of variables, by name. */
  valuesAt(
    state: Words,
    at: number,
    count = this.#variables.length,
  ): { readonly name: string; readonly value: string }[] {
    return this.#variables.slice(0, count).map(({ name, type }) => ({
      name,
      value: renderChiValue(type, state, at + this.offsetOf(name)),
    }));
  }
}

function siteOf(error: unknown, { site }: Compiled): number {
  if (!(error instanceof ChiFault)) throw error;
  return site;
}

const SIGNS: Readonly<Record<ChiAction["kind"], string>> = {
  tau: "",
  assign: "",
  send: "!",
  receive: "?",
  communicate: "!?",
};

const placeOf = (action: ChiAction): ChiPlace | undefined => ("to" in action ? action.to?.of : undefined);

/** Bit `n` for part `n`; the sign bit for all from 31 on. */
function agentsOf(taken: Int32Array): number {
  let agents = 0;
  for (let part = 0; part < taken.length; part++)
    if ((taken[part] ?? -1) >= 0) agents |= 1 << Math.min(part, 31);
  return agents;
}

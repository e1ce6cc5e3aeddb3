/**
 * χ as a `Model`: the parts of the system run together by vectors (`../lts.ts`), over the words that they share. Read `parts.ts` for the automata
 * of the parts, `words.ts` for conditions and effects, `surroundings.ts` for the environments of a congruence. The rules of the
 * semantics are in `model/chi-control.ts`.
 */
import {
  END_NAME,
  Successors,
  chiCondition,
  observing,
  renamedApart,
  renderChi,
  type Actions,
  type ChiExpr,
  type ChiProgram,
  type Explainer,
  type LtsNetwork,
  type Model,
  type Property,
  type Recipe,
  type System,
  type TemporalProperty,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { Product } from "../lts.js";
import { ChiTooLarge, partsOf, type ChiParts } from "./parts.js";
import { surrounded } from "./surroundings.js";
import { ChiWords } from "./words.js";

export { ChiTooLarge } from "./parts.js";

/** A formula with the conditions of its propositions, by index. */
export type ChiFormula = TemporalProperty & { readonly conditions: readonly ChiExpr[] };

export interface ChiModel extends Model {
  readonly actions: Actions;
  /** By choice of a state: the transition that each part takes, or -1. */
  takenAt(state: Words): readonly Int32Array[];
  /** The parts of the system as text. */
  code(): string;
}

export function chiModel(program: ChiProgram, formulas: readonly ChiFormula[] = []): ChiModel {
  const taken = new Set(program.globals.map(({ name }) => name));
  const parts = partsOf(renamedApart(program.system, taken), program.channels);
  const { globals, channels } = program;
  const shared = new ChiWords(parts, globals, channels);
  const network = networkOf(program, parts);
  const product = new Product(network, [], true, shared);
  const steps = new ChiSteps(product, shared, parts);
  const asked = [
    ...program.invariants.map((each) => ({ ...each, kind: "invariant" as const })),
    ...program.goals.map((each) => ({ ...each, kind: "agef" as const })),
  ];
  const invariants = asked.map(({ name, kind, span }): Property => ({ name, kind, span }));
  const conditions = asked.map(({ condition }) => chiCondition(condition, shared.offsetOf));
  const propositions = formulas.map((formula) =>
    formula.conditions.map((condition) => chiCondition(condition, shared.offsetOf)),
  );
  const labelled = (): System => new Product(network, [], true, new ChiWords(parts, globals, channels, true));
  const temporal = observing(
    { system: product, steps, labelled: () => asAgents(labelled()), agents: parts.parts.length },
    formulas,
    (index, proposition, state, at) => nth(nth(propositions, index), proposition)(state, at),
  );
  return {
    system: product,
    steps,
    properties: [...propertiesOf(program, shared), ...invariants, ...formulas],
    sites: shared.sites,
    invariants,
    holds: (index, state, at) => nth(conditions, index)(state, at),
    ...(formulas.length > 0 ? { temporal } : {}),
    stuck: "no step is possible, and not all components can terminate",
    actions: actionsOf(product, shared, parts, program),
    coverage: { parts: [], reached: new Uint8Array(0) },
    recipe: { maker: CHI_COMPILER, data: { program, formulas } },
    takenAt: (state) => product.stepsAt(state, 0).map(({ taken }) => taken),
    code: () => codeOf(parts),
  };
}

export const CHI_COMPILER = "chi";

/** The model of a recipe whose maker is `CHI_COMPILER`. */
export function compileChiRecipe({ data }: Recipe): ChiModel {
  const { program, formulas } = data as { program: ChiProgram; formulas: readonly ChiFormula[] };
  return chiModel(program, formulas);
}

const networkOf = ({ name, span }: ChiProgram, { parts, vectors }: ChiParts): LtsNetwork => ({
  name,
  parts: parts.map(({ name: part, lts }) => ({ name: part, lts })),
  vectors,
  span,
});

function propertiesOf({ checksDeadlock }: ChiProgram, { sites }: ChiWords): Property[] {
  const properties: Property[] = [];
  if (checksDeadlock) properties.push({ name: "deadlock", kind: "deadlock", span: undefined });
  if (sites.length > 0) properties.push({ name: "runtime errors", kind: "runtime", span: undefined });
  return properties;
}

const asAgents = (system: System): System => ({
  get width() {
    return system.width;
  },
  compareFrom: 0,
  labels: "agents",
  initial: (out) => system.initial(out),
  successors: (state, at, out) => system.successors(state, at, out),
  status: (state, at) => system.status(state, at),
});

/** Termination is an action: a configuration that terminates may also have others. */
function actionsOf(product: Product, shared: ChiWords, parts: ChiParts, { globals }: ChiProgram): Actions {
  const ending = ended(product, shared);
  const nameOf = (action: number): string | undefined =>
    action === END_ACTION ? END_NAME : shared.names[action];
  const observe = (state: Words, at: number): string => shared.shown(state, at, globals.length);
  const base: Actions = {
    system: ending,
    nameOf,
    sourcesOf: () => [],
    observe,
    isInteraction: (name) => /^\w+[!?](?!\?)/.test(name),
  };
  return { ...base, among: (how) => surrounded(how, base, globals, parts.parts.length, shared) };
}

/** Above the numbers of all other actions. */
const END_ACTION = 1 << 30;

/** The system with a step to itself wherever it can terminate. */
const ended = (product: Product, shared: ChiWords): System => ({
  width: product.width,
  compareFrom: 0,
  labels: "actions",
  initial: (out) => product.initial(out),
  status: () => 0,
  successors: (state, at, out) => {
    product.successors(state, at, out);
    // sound: test/languages/chi/traps.test.ts
    if (!shared.isEnd(state, at)) return;
    if (out.count === out.capacity) out.grow();
    out.labels[out.count] = END_ACTION;
    out.words.set(state.subarray(at, at + product.width), out.count * out.stride);
    out.flags[out.count++] = 0;
  },
});

const codeOf = ({ parts }: ChiParts): string =>
  parts
    .flatMap(({ name, control, nodes, lts }) => [
      `${name}: ${nodes.length} residual terms, ${lts.targets.length} transitions`,
      ...nodes.map((node, i) => `  ${i}: ${renderChi(control.termOf(node))}`),
    ])
    .join("\n") + "\n";

/** Steps as people read them. */
class ChiSteps implements System, Explainer {
  readonly compareFrom = 0;
  readonly labels = "actions";
  readonly #product: Product;
  readonly #shared: ChiWords;
  readonly #parts: ChiParts;

  constructor(product: Product, shared: ChiWords, parts: ChiParts) {
    this.#product = product;
    this.#shared = shared;
    this.#parts = parts;
  }

  get width(): number {
    return this.#product.width;
  }

  initial(out: Successors): void {
    this.#product.initial(out);
  }

  successors(state: Words, at: number, out: Successors): void {
    this.#product.successors(state, at, out);
  }

  status(state: Words, at: number): number {
    return this.#product.status(state, at);
  }

  describe(state: Words, at: number, choice: number): ReturnType<Explainer["describe"]> {
    const out = new Successors(this.width);
    const { taken } = nth(this.#product.stepsAt(state, at), choice);
    this.#product.successors(state, at, out);
    const parts = [...taken.keys()].filter((part) => (taken[part] ?? -1) >= 0);
    const movers = this.#shared.moversOf(taken);
    const isSwapped = movers.length === 2 && nth(movers, 0).step !== this.#stepOf(nth(parts, 0), taken);
    const participants = (isSwapped ? parts.toReversed() : parts).map(
      (part) => nth(this.#parts.parts, part).name,
    );
    const sources = movers.flatMap(({ step }) => step.move.spans);
    const isFault = out.faultAt(choice) >= 0;
    const name = isFault ? undefined : this.#shared.names[out.labels[choice] ?? 0];
    const action = isFault ? "an undefined value" : (name ?? "skip");
    return { participants, action, sources, output: "", messages: messageOf(name, participants) };
  }

  #stepOf(part: number, taken: Int32Array): unknown {
    return this.#parts.parts[part]?.steps[taken[part] ?? -1];
  }

  snapshot(state: Words, at: number): ReturnType<Explainer["snapshot"]> {
    return this.#shared.valuesAt(state, at);
  }

  processes(): ReturnType<Explainer["processes"]> {
    return [];
  }
}

/** The message of a communication, for charts. */
function messageOf(
  name: string | undefined,
  [from, to]: readonly string[],
): ReturnType<Explainer["describe"]>["messages"] {
  const found = /^(\w+)(!\?|!|\?)(.*)$/s.exec(name ?? "");
  if (!found) return [];
  const [, channel = "", sign = "", message = ""] = found;
  const kind = sign === "!?" ? "rendezvous" : sign === "!" ? "send" : "receive";
  return [
    {
      kind,
      channel,
      channelId: 0,
      message,
      from: kind === "receive" ? undefined : from,
      to: kind === "receive" ? from : kind === "rendezvous" ? (to ?? from) : undefined,
    },
  ];
}

export const isTooLarge = (error: unknown): error is ChiTooLarge => error instanceof ChiTooLarge;

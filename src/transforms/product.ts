/**
 * The product of a system and a property automaton: a system whose labels are acceptance marks, in which an infinite run that
 * sees every mark infinitely often is an execution that the automaton accepts.
 *
 * A state is the system's with one more word, at `compareFrom`: the automaton's state. The automaton reads the valuation of a
 * step's source state. Inside an atomic sequence it does not move; the word then holds the complement of the edge taken at
 * its beginning, so that two ways into the sequence stay apart. A state without successors repeats itself (`stutters`), as
 * finite executions do in LTL and in Spin.
 *
 * Weak fairness is one condition per agent, carried by its own steps and by all steps of a state in which it cannot move: the
 * state space does not grow. For strong fairness a step carries its agent, and the check is one for Streett pairs: an agent
 * enabled infinitely often moves infinitely often.
 *
 * Always true: the marks of the automaton are the lowest bits, the bit of agent `i` follows them at `i`.
 */
import { compileFunction } from "node:vm";
import {
  MOST_CONDITIONS,
  Successors,
  type Automaton,
  type Candidates,
  type Fairness,
  type ObservedSystem,
  type StepCode,
  type System,
  type Words,
} from "../model/index.js";
import { AT_ROOT, automatonTables, emitProduct } from "./product-code.js";
import { acceptingSinks } from "./terminal.js";

export interface ProductOptions {
  /** The property's index among the temporal ones. */
  readonly property: number;
  readonly fairness: Fairness;
  /** Upper bound on the number of agents; undefined: unknown. Read with fairness only. */
  readonly agents: number | undefined;
  /** Off: an execution that ends is none. */
  readonly stutters?: boolean;
}

export interface Product extends System {
  readonly labels: "marks";
  /** All marks: the automaton's, and the fairness marks above them. */
  readonly conditions: number;
  /** Agents that have marks. */
  readonly fairAgents: number;
  /** An agent without marks moved: results about fairness are void. */
  readonly hasForeignAgent: boolean;
  /** The automaton's state in a nominal state of the product. */
  automatonState(state: Words, at: number): number;
  /** The only invariant: the automaton is not in a state that violates the property for every continuation. */
  holds(index: number, state: Words, at: number): boolean;
  /** The system's part of a state, which may be wider than this system's states: each thread searches with a separate system. */
  project(state: Words): Words;
}

/** With fairness the system must have agents as labels. */
export function product(system: ObservedSystem, automaton: Automaton, options: ProductOptions): Product {
  return new ProductSystem(system, automaton, options);
}

interface ProductFunctions {
  readonly expand: System["successors"];
  readonly holds: Product["holds"];
  add(entry: number, position: number, label: number, out: Successors): void;
  readonly propose?: Candidates["propose"];
  readonly expandAgent?: Candidates["successorsOf"];
}

class ProductSystem implements Product {
  readonly labels = "marks";
  readonly compareFrom: number;
  readonly hasRoot: boolean;
  readonly conditions: number;
  readonly fairAgents: number;
  readonly successors: System["successors"];
  readonly holds: Product["holds"];
  /** The system's candidates. With fairness it matters which agents are postponed. */
  readonly candidates?: Candidates;
  readonly step?: StepCode;
  readonly #system: ObservedSystem;
  readonly #automaton: Automaton;
  readonly #add: ProductFunctions["add"];
  readonly #inner: Successors;
  readonly #met = { hasForeignAgent: false };

  constructor(system: ObservedSystem, automaton: Automaton, options: ProductOptions) {
    const { property, fairness, agents, stutters = true } = options;
    this.#system = system;
    this.#automaton = automaton;
    const isFair = fairness !== "none";
    if (isFair && system.labels !== "agents") throw new Error("fairness needs a system that says who moves");
    const room = MOST_CONDITIONS - automaton.conditions;
    this.fairAgents = isFair ? Math.min(agents ?? Infinity, room) : 0;
    this.conditions = automaton.conditions + this.fairAgents;
    const agentMask = this.fairAgents === 0 ? 0 : 0x7fffffff >>> (31 - this.fairAgents);
    this.compareFrom = system.compareFrom;
    this.hasRoot = system.hasRoot ?? false;
    this.#inner = new Successors(system.width);
    // sound: test/transforms/product.test.ts
    const candidates = isFair ? undefined : system.candidates;
    const { compareFrom } = this;
    const { conditions, initial } = automaton;
    const hasCandidates = candidates !== undefined;
    const shape = {
      property,
      compareFrom,
      fairness,
      conditions,
      agentMask,
      initial,
      stutters,
      hasCandidates,
    };
    const text = emitProduct(shape);
    const bindings = {
      ...automatonTables(automaton, acceptingSinks(automaton)),
      system,
      candidates,
      inner: this.#inner,
      list: new Successors(system.width, 1),
      met: this.#met,
    };
    const { expand, holds, add, propose, expandAgent } = instantiate(text, bindings);
    this.successors = expand;
    this.holds = holds;
    this.#add = add;
    if (propose && expandAgent) this.candidates = { propose, successorsOf: expandAgent };
    // sound: test/transforms/product.test.ts
    if (!hasStepCode(system, candidates)) return;
    const same = { successors: expand, holds, propose, successorsOf: expandAgent };
    this.step = { base: system.step, text, bindings, same };
  }

  get width(): number {
    return this.#system.width + 1;
  }

  get hasForeignAgent(): boolean {
    return this.#met.hasForeignAgent;
  }

  initial(out: Successors): void {
    const inner = this.#inner;
    inner.clear();
    if (inner.stride < this.#system.width) inner.widen(this.#system.width);
    this.#system.initial(inner);
    for (let i = 0; i < inner.count; i++)
      this.#add(i, this.hasRoot ? AT_ROOT : this.#automaton.initial, 0, out);
  }

  status(state: Words, at: number): number {
    return this.#system.status(this.project(state.slice(at, at + this.width)), 0);
  }

  automatonState(state: Words, at: number): number {
    return state[at + this.compareFrom]!;
  }

  project(state: Words): Words {
    const { compareFrom } = this;
    return state.filter((_, word) => word !== compareFrom); // sound: test/transforms/product.test.ts
  }
}

/** A wrapper of the system may have copied the facet along with other functions. */
function hasStepCode(
  system: ObservedSystem,
  candidates: Candidates | undefined,
): system is ObservedSystem & { readonly step: StepCode } {
  const { same } = system.step ?? {};
  // sound: test/transforms/product.test.ts
  if (same?.successors !== system.successors || same.valuation !== system.valuation) return false;
  // sound: test/transforms/product.test.ts
  return (
    !candidates || (same.propose === candidates.propose && same.successorsOf === candidates.successorsOf)
  );
}

function instantiate(text: string, bindings: Readonly<Record<string, unknown>>): ProductFunctions {
  const functions = ["expand", "holds", "add", ...(bindings.candidates ? ["propose", "expandAgent"] : [])];
  // In processes that run code under test, code generation from strings is disabled; this is not that code.
  const make = compileFunction(
    `"use strict";${text}\nreturn { ${functions.join(", ")} };`,
    Object.keys(bindings),
  ) as (...values: unknown[]) => ProductFunctions;
  return make(...Object.values(bindings));
}

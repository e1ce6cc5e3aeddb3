/** Compiles the loops of a search to WebAssembly, in one module with the system's step code, over one memory. */
import { Successors, type StepCode, type System } from "../../model/index.js";
import { StepText, instantiateStep, type StepInstance, type StepMemory } from "../../step/index.js";

export class StepBackend {
  readonly memory: StepMemory;
  /** Loops are compiled to WebAssembly; if not, they are JavaScript over the same arrays. */
  isActive: boolean;
  /** The system's texts, components first. */
  readonly #texts: readonly StepText[];
  #instance: StepInstance | undefined;

  /** Undefined if the system has no step code or there is no memory for it. */
  static create({ step }: System, memory: StepMemory | undefined, isActive = true): StepBackend | undefined {
    return step && memory && new StepBackend(step, memory, isActive);
  }

  private constructor(step: StepCode, memory: StepMemory, isActive: boolean) {
    this.memory = memory;
    this.#texts = this.#textsOf(step);
    this.isActive = isActive;
  }

  /** Creates the lists that a text uses in the memory. */
  #textsOf({ base, text, bindings }: StepCode): StepText[] {
    const bound = Object.entries(bindings).map(([name, value]) => [
      name,
      value instanceof Successors ? this.newList(value.stride, value.capacity) : value,
    ]);
    return [...(base ? this.#textsOf(base) : []), new StepText(text, Object.fromEntries(bound))];
  }

  /** Is a search of `states` states large enough to be worth compiling the system's text? */
  isWorth(states: number): boolean {
    const length = this.#texts.reduce((sum, { text }) => sum + text.length, 0);
    return states >= Math.max(LEAST_STATES, length / CHARACTERS_PER_STATE);
  }

  /** The functions of `text`, joined with the system's, under these names. Throws `NotStepCode` if either text is not step code. */
  instantiate<T>(text: string, functions: readonly string[], bindings: Readonly<Record<string, unknown>>): T {
    this.keepCoverage();
    this.#instance = instantiateStep([...this.#texts, new StepText(text, bindings)], functions, {
      memory: this.memory,
      methods: METHODS,
      records: RECORDS,
      arrayArguments: { "monitor.broken": [2] },
    });
    return this.#instance.functions as T;
  }

  /** Copies the coverage of the compiled loops to the model. */
  keepCoverage(): void {
    this.#instance?.keepBytes();
  }

  newList(stride: number, capacity?: number): Successors {
    return new Successors(stride, capacity, (length) => this.array(length));
  }

  /** For lists and buffers of the loops. Throws `NotStepCode` when the memory is exhausted, possibly in the middle of a step. */
  array(length: number): Int32Array<ArrayBuffer> {
    return this.memory.require(length);
  }
}

/** Compiling 5,000 characters takes about a millisecond, in which JavaScript visits a few hundred states. */
const LEAST_STATES = 1_000;
const CHARACTERS_PER_STATE = 20;

const METHODS = {
  "system.successors": "expand",
  "system.valuation": "valuation",
  "system.status": "status",
  "model.holds": "holds",
  "candidates.propose": "propose",
  "candidates.successorsOf": "expandAgent",
};

const RECORDS = {
  names: new Set(["out", "target", "offered", "nominal", "pending", "inner", "list"]),
  fields: ["words", "flags", "labels", "count", "isFlagged", "stride", "capacity"],
  written: ["count", "isFlagged"],
  isOne: (object: unknown): boolean => object instanceof Successors,
};

/** The loops of a search as WebAssembly: with the system's own step code in one module, over one memory. */
import { Successors, type System } from "../../model/index.js";
import { StepMemory, StepText, instantiateStep, type StepInstance } from "../../step/index.js";

export class StepBackend {
  readonly memory: StepMemory;
  readonly #system: StepText;
  #instance: StepInstance | undefined;

  /** Undefined where the system has no step code, or the runtime no memory for it. */
  static create({ step }: System, pages?: number): StepBackend | undefined {
    const memory = step && StepMemory.create(pages);
    return memory && new StepBackend(new StepText(step.text, step.bindings), memory);
  }

  private constructor(system: StepText, memory: StepMemory) {
    this.#system = system;
    this.memory = memory;
  }

  /** The functions of `text`, joined with the system's, under these names. Throws `NotStepCode` if either is more than that. */
  instantiate<T>(text: string, functions: readonly string[], bindings: Readonly<Record<string, unknown>>): T {
    this.keepCoverage();
    this.#instance = instantiateStep([this.#system, new StepText(text, bindings)], functions, {
      memory: this.memory,
      methods: METHODS,
      records: RECORDS,
      arrayArguments: { "monitor.broken": [2] },
    });
    return this.#instance.functions as T;
  }

  /** Tells the model which of its parts were executed. */
  keepCoverage(): void {
    this.#instance?.keepBytes();
  }

  newList(stride: number, capacity?: number): Successors {
    return new Successors(stride, capacity, (length) => this.array(length));
  }

  /** For lists and buffers of the loops. Throws `NotStepCode` when the memory is spent, which may be in the middle of a step. */
  array(length: number): Int32Array<ArrayBuffer> {
    return this.memory.require(length);
  }
}

const METHODS = {
  "system.successors": "expand",
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

/** The loops of a search as WebAssembly: with the system's own step code in one module, over one memory. */
import { Successors, type Model, type System } from "../../model/index.js";
import { StepText, instantiateStep, type StepInstance, type StepMemory } from "../../step/index.js";

export class StepBackend {
  readonly memory: StepMemory;
  readonly #system: StepText;
  #instance: StepInstance | undefined;

  /** Undefined where the system has no step code, or the runtime no memory for it. */
  static create({ step }: System, memory: StepMemory | undefined): StepBackend | undefined {
    return step && memory && new StepBackend(new StepText(step.text, step.bindings), memory);
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

  /** For what is small, and for lists that outlive this code: those need not be in its memory. */
  array(length: number): Int32Array<ArrayBuffer> {
    return this.memory.allocate(length) ?? new Int32Array(length);
  }
}

/** Does the model's step code compute what the model does? A wrapper may have copied the facet along with what it left unchanged. */
export function isStepCodeOf({ system, holds }: Model, isReduced: boolean): boolean {
  const { step, successors, candidates } = system;
  // sound: test/engines/explicit/wrapped.test.ts
  if (step?.same.successors !== successors || step.same.holds !== holds) return false;
  // sound: test/engines/explicit/wrapped.test.ts
  if (!isReduced) return true;
  // sound: test/engines/explicit/wrapped.test.ts
  return step.same.propose === candidates?.propose && step.same.successorsOf === candidates?.successorsOf;
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

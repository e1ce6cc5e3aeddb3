/** State of one path: frames, memory, path condition, and inputs so far. */
import type { Span } from "../../model/diagnostic.js";
import type { IrFunction } from "../../model/module.js";
import type { Term } from "../../model/terms.js";
import { MemoryObject, type ObjectKind } from "./memory.js";
import type { Value } from "./values.js";

export interface Frame {
  readonly fn: IrFunction;
  block: number;
  /** Next instruction; beyond the last: the end of the block. */
  at: number;
  readonly registers: (Value | undefined)[];
  /** Objects that die with the frame. */
  readonly locals: number[];
  /** Arguments beyond the parameters, in slots of 8 bytes: an object, or 0. */
  variadic: number;
  /** Register of the caller for the result, or -1. */
  readonly into: number;
  /** Of bounded model checking: rounds of the loops around the block. */
  rounds?: readonly number[];
}

/** Where an input comes from: a call of the program, an argument by its position, or standard input. */
export type InputSource = "call" | number | "length" | "stdin";

/** An input that the program requested. */
export interface InputRequest {
  readonly name: string;
  readonly bytes: number;
  readonly isSigned: boolean;
  /** Shown as single bytes. */
  readonly isText: boolean;
  readonly source: InputSource;
  readonly variables: readonly Term[];
  /** Of merged paths: a condition; absent: on every path. */
  readonly when?: Term;
}

export type Violation =
  | "assertion"
  | "abort"
  | "null pointer"
  | "out of bounds"
  | "use after free"
  | "use after return"
  | "use after scope"
  | "invalid pointer"
  | "invalid free"
  | "double free"
  | "division by zero"
  | "overflow"
  | "shift"
  | "uninitialised"
  | "misaligned"
  | "read-only memory"
  | "undefined behaviour";

export interface ProgramError {
  readonly kind: Violation;
  readonly message: string;
  readonly span: Span | undefined;
}

/** End of a path. */
export type PathEnd =
  | { readonly kind: "exit"; readonly code: number | undefined }
  | { readonly kind: "error"; readonly error: ProgramError }
  /** An assumption is false, or there is no further input of a replay. */
  | { readonly kind: "dropped" }
  /** The limit on decisions. */
  | { readonly kind: "cut" }
  | { readonly kind: "unsupported"; readonly what: string; readonly span: Span | undefined };

let lastOwner = 0;

export class PathState {
  owner = ++lastOwner;
  frames: Frame[] = [];
  objects = new Map<number, MemoryObject>();
  /** Freed heap objects; other missing objects were on the stack. */
  freed = new Set<number>();
  nextObject = 1;
  nextAddress = 0x10000;
  /** Objects whose addresses the program has seen as numbers. */
  exposed = new Set<number>();
  /** Later objects have lower addresses, as in another process. */
  isMirrored = false;
  /** Conjunction of literals that hold on this path, in order. */
  condition: Term[] = [];
  /** Literals that hold, by id: contained in the condition, or implied by it. */
  known = new Map<number, boolean>();
  /** Values of variables that satisfy the condition, by id. */
  model: ReadonlyMap<number, bigint> = new Map();
  inputs: InputRequest[] = [];
  output: Uint8Array[] = [];
  /** Symbolic standard input, once it is read. */
  stdin: { readonly length: Value; readonly bytes: readonly Value[] } | undefined;
  /** Bytes of it that were read. */
  stdinAt = 0;
  decisions = 0;
  steps = 0;
  /** Of programs with a scheduler of their own (`MachineHost.provides`): never changed in place, so that forks share it. */
  scheduling: unknown;

  /** Its objects become shared: it copies them before it writes. */
  disown(): void {
    this.owner = ++lastOwner;
  }

  fork(): PathState {
    const copy = new PathState();
    this.disown(); // neither may write to the shared objects
    copy.frames = this.frames.map((frame) => ({
      ...frame,
      registers: frame.registers.slice(),
      locals: frame.locals.slice(),
    }));
    copy.objects = new Map(this.objects);
    copy.freed = new Set(this.freed);
    copy.nextObject = this.nextObject;
    copy.nextAddress = this.nextAddress;
    copy.exposed = new Set(this.exposed);
    copy.isMirrored = this.isMirrored;
    copy.condition = this.condition.slice();
    copy.known = new Map(this.known);
    copy.model = this.model;
    copy.inputs = this.inputs.slice();
    copy.output = this.output.slice();
    copy.stdin = this.stdin;
    copy.stdinAt = this.stdinAt;
    copy.decisions = this.decisions;
    copy.steps = this.steps;
    copy.scheduling = this.scheduling;
    return copy;
  }

  allocate(
    kind: ObjectKind,
    size: number,
    align: number,
    label: string | undefined,
    isInitialised: boolean,
    isConstant = false,
  ): number {
    const id = this.nextObject++;
    const unit = Math.max(16, align);
    const base = this.isMirrored
      ? Math.floor((this.nextAddress - size - GAP) / unit) * unit
      : Math.ceil(this.nextAddress / unit) * unit;
    this.nextAddress = this.isMirrored ? base : base + size + GAP;
    const facts = { kind, size, align, base, isConstant, label };
    this.objects.set(id, new MemoryObject(this.owner, facts, isInitialised));
    return id;
  }

  /** The object at an address that the program computed as a number, if it has seen such a number of it. */
  objectAt(address: number): number | undefined {
    for (const id of this.exposed) {
      const { base, size } = this.objects.get(id) ?? { base: Infinity, size: 0 };
      if (base <= address && address <= base + size) return id;
    }
    return undefined;
  }

  /** For writing: copied if another state shares it. */
  own(id: number): MemoryObject {
    const object = this.objects.get(id);
    if (!object) throw new Error(`object ${id} does not exist`);
    if (object.owner === this.owner) return object;
    const copy = object.copyFor(this.owner);
    this.objects.set(id, copy);
    return copy;
  }

  get frame(): Frame {
    const frame = this.frames[this.frames.length - 1];
    if (!frame) throw new Error("the program has ended");
    return frame;
  }
}

/** A pointer just past an object is not the address of the next one. */
const GAP = 32;

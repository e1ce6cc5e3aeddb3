/** Services of the whole for the parts of the code generator. */
import type { Call, RuleProgram } from "../../../model/rules.js";
import type { RuleLayout } from "../layout.js";
import type { Scope } from "./scope.js";

export interface ModuleParts {
  readonly program: RuleProgram;
  readonly layout: RuleLayout;
  /** A call as an expression. */
  call(call: Call, scope: Scope): string;
  /** Adds a function under a fresh name; returns the name. */
  addFunction(kind: string, emit: (name: string) => string): string;
  /** Room in the memory for locals; the address. */
  allocate(words: number): number;
  /** Frames are added to that memory while procedures call themselves. */
  growMemory(): void;
  /** The code computes with values between these: beyond 32 bits it is not step code. */
  reach(low: number, high: number): void;
}

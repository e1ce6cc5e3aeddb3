/**
 * Input of a specialised engine that does not work on a model of states: a net, a message-passing program,
 * a program to run. Each kind is declared beside its IR, with a guard on its `kind`.
 */
import type { Property } from "./verdict.js";

export interface Subject {
  readonly kind: string;
  readonly properties: readonly Property[];
}

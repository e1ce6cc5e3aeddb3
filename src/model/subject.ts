/**
 * What an engine of its own works on, where a model of states is not all there is: a net, a message-passing program,
 * a program to run. Each kind is declared beside its IR, with a guard that tells it by its `kind`.
 */
import type { Property } from "./verdict.js";

export interface Subject {
  readonly kind: string;
  readonly properties: readonly Property[];
}

/**
 * Message-passing programs as Petri nets, for the procedures for coverability and for other tools: a target can be covered
 * exactly when the property is violated.
 *
 * Read `product.ts` first: a place for each location, and for each content of a variable or a channel together with its class of
 * provenances. `compact.ts` has classes as bits, so that the net stays polynomial in the program and the policy. Both put
 * their nets together with `net-builder.ts`.
 *
 * Not here: the way back, from a net to a program, which is text (`languages/mpp/from-net.ts`).
 */
export { compactNet, whyNotCompact } from "./compact.js";
export { labelledNet, productNet } from "./product.js";

/**
 * Message-passing programs as Petri nets, for coverability procedures and other tools: the target is coverable if and only if the
 * property is violated.
 *
 * Read `product.ts` first: a place for each location, and for each content of a variable or channel with its class of provenances.
 * `compact.ts` encodes classes as bits, so that the net stays polynomial in the program and the policy. Both use `net-builder.ts`.
 *
 * Not here: the converse, from a net to the text of a program (`languages/mpp/from-net.ts`).
 */
export { compactNet, whyNotCompact } from "./compact.js";
export { labelledNet, productNet } from "./product.js";

/**
 * What keeps code under test in, should it get out of its realm. Each thread is locked for itself: Node's modules are one object
 * in each.
 */
export { lockDown, lockOfThread, type Lock } from "./lock-down.js";

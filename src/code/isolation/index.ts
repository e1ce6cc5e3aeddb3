/** Confines code that escapes from its realm, in each thread, since each has its own instances of Node's modules. */
export { lockDown, lockOfThread, type Lock } from "./lock-down.js";

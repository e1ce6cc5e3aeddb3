/**
 * Files and the network of a program. Runs inside realms.
 *
 * Read `storage.ts` first (persistence across crashes), then `files.ts` (the file tree for `node:fs`), then `wire.ts`
 * (transport between sockets) and `ports.ts` (listeners).
 *
 * Always true: the machine's devices are never used. A test of async code has one storage and one wire; each node of a
 * system has a separate storage, and its wire is the system's network.
 */
export { Files, fileError, isOfTree } from "./files.js";
export { JournaledStorage, storageOf, type Change, type Storage } from "./storage.js";

/**
 * What programs reach beyond their own memory: files and a network. Runs inside realms.
 *
 * Read `storage.ts` first (what survives a crash), then `files.ts` (the tree of files on it, as `node:fs` sees it), then `wire.ts`
 * (how bytes come from one socket to another) and `ports.ts` (who listens).
 *
 * Always true: nothing here is the machine's own. A test of async code has one storage and one wire for all its code; each
 * node of a system has a storage of its own, and its wire is the network of the system.
 */
export { Files, fileError, isOfTree } from "./files.js";
export { JournaledStorage, storageOf, type Change, type Storage } from "./storage.js";

/**
 * The state of a JavaScript heap as data: captured, compared up to what a program can tell apart, and written back.
 *
 * In: roots (module bindings, objects) of a realm. Out: snapshots with a canonical signature and a number; or the place
 * of something that is no data (a suspended function, a closure, a promise), never a snapshot without it.
 * Read `image.ts` first (one object), then `walk.ts` (all of them) and `live-heap.ts` (capture, hash, restore).
 *
 * Always true: two states get the same number exactly when no program can tell them apart, but for what the rules say
 * to ignore. Not here: realms and how programs get into them.
 */
export { CaptureAudit, CaptureDiffers } from "./audit.js";
export { CodeInspector, type FunctionFacts } from "./code-inspector.js";
export { copyRoots, type Copies } from "./copy.js";
export { sameState } from "./equal.js";
export { differingFields, fieldPath, pathsOf, withField } from "./fields.js";
export { SnapshotTable } from "./intern.js";
export {
  LiveHeap,
  type Entry,
  type HeapFigures,
  type LiveHeapOptions,
  type Roots,
  type Snapshot,
} from "./live-heap.js";
export { realmMakers, type Makers } from "./makers.js";
export { isRefusal } from "./refusal.js";
export { partText } from "./part-text.js";
export { hiddenIntrinsics } from "./intrinsics.js";
export { isTemplate, realmRules, type RealmRules, type RealmRulesOptions } from "./realm-rules.js";
export { renamedData, renamedText, type Renaming } from "./renamed.js";
export { isNode, sameImage, type Image } from "./image.js";
export { IGNORED, type HeapRules, type WeakEntries } from "./rules.js";
export type { OpaqueState } from "./walk.js";

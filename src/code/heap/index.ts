/**
 * The state of a JavaScript heap as data: captured, compared up to observable equivalence, and restored.
 *
 * In: roots (module bindings, objects) of a realm. Out: snapshots with a canonical signature and a number; or the path
 * of an object that is not data (a suspended function, a closure, a promise), never an incomplete snapshot.
 * Read `image.ts` first (one object), then `walk.ts` (all objects) and `live-heap.ts` (capture, hash, restore).
 *
 * Always true: two states have the same number if and only if no program can distinguish them, apart from ignored
 * fields. Not here: realms and loading of programs.
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

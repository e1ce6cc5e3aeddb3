/** Incremental captures equal full ones; if one does not, the audit locates the difference. */
import { runInThisContext } from "node:vm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import {
  CaptureAudit,
  CaptureDiffers,
  CodeInspector,
  LiveHeap,
  hiddenIntrinsics,
  realmRules,
  sameImage,
  type LiveHeapOptions,
} from "../../../src/code/heap/index.js";
import { checkText, propertyOf } from "../system/small.js";

const inspector = new CodeInspector();
afterAll(() => inspector.close());
const rules = realmRules(globalThis, { inspector, hidden: runInThisContext(hiddenIntrinsics) as object[] });
let audit: CaptureAudit;
beforeEach(() => {
  audit = LiveHeap.audit = new CaptureAudit();
});
afterEach(() => {
  LiveHeap.audit = undefined;
});

const heapOf = (root: unknown, options: LiveHeapOptions = {}): LiveHeap =>
  new LiveHeap({ read: () => ({ names: ["root"], values: [root] }), write: () => undefined }, rules, options);

test("a change that a capture does not look for is named by its path", () => {
  const entry = { hops: 1 };
  const root = { table: new Map([["10.0.0.2", entry]]), other: { x: 1 } };
  const heap = heapOf(root, {
    isSame: (known, image, object) => object === entry || sameImage(known, image),
  });
  heap.capture();
  root.other.x = 2;
  heap.capture();
  expect(audit.captures).toBe(2);
  entry.hops = 2;
  expect(() => heap.capture()).toThrow(new CaptureDiffers('root.table.get("10.0.0.2")'));
});

test("looking at everything, the same changes are clean", () => {
  const entry = { hops: 1 };
  const root = { table: new Map([["10.0.0.2", entry]]), list: [entry], bytes: new Uint8Array(4) };
  const heap = heapOf(root);
  const changes = [
    () => void (entry.hops = 2),
    () => void root.list.unshift({ hops: 3 }),
    () => void root.table.delete("10.0.0.2"),
    () => void (root.bytes[2] = 7),
    () => void root.list.pop(),
  ];
  heap.capture();
  for (const change of changes) {
    change();
    heap.capture();
  }
  expect(audit.captures).toBe(6);
});

test("a system of nodes is clean under it", async () => {
  const report = await checkText(`
    class A { log: unknown[] = []; table = new Map<string, { n: number }>(); #hidden = 0; constructor(readonly e: Environment) {}
      onMessage(from: string, m: any) { this.table.set(from, { n: m }); this.log = [this.table.get(from), ...this.log].slice(0, 2); this.#hidden = m; } }
    const make = (e: Environment) => new A(e);
    export default defineSystem<any>({ nodes: { a: make, b: make }, network: { capacity: 2, loss: true },
      actions: { go: { values: [1, 2], times: 2, run: (n, v: any) => n.e.broadcast(v) } },
      always: { small: ({ nodes }) => Object.values<any>(nodes).every((n) => n.log.length < 3) } });`);
  expect(propertyOf(report, "small").verdict).toBe("holds");
  expect(audit.captures).toBeGreaterThan(20);
});

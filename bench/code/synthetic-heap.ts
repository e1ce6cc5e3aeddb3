/** Random changes to a synthetic heap of lists, and the objects to rehash after each, depth-first and by access chain. */
import {
  ChainTable,
  imagesAt,
  locateDepthFirst,
  type HeapGraph,
  type HeapObject,
  type HeapValue,
} from "../heap/graph.js";

export interface SyntheticResult {
  readonly objects: number;
  readonly modified: number;
  readonly depthFirst: number;
  readonly incremental: number;
  readonly entries: number;
  /** Distinct canonical states by the table, without and with reuse of locations. */
  readonly states: number;
}

interface ListNode {
  value: number;
  next: ListNode | null;
}

export function runSynthetic(
  lists: number,
  length: number,
  mode: "mix" | "value",
  steps = 2000,
  reuses = false,
): SyntheticResult {
  const random = generator();
  const heads = Array.from({ length: lists }, (_, k) => build(length, k));
  const table = new ChainTable(reuses);
  const before = {
    raw: new Map<object, string>(),
    depthFirst: new Map<object, string>(),
    chain: new Map<object, string>(),
  };
  const root = {};
  const sums = { objects: 0, modified: 0, depthFirst: 0, incremental: 0 };
  const states = new Set<string>();
  let locations = new Map<object, number | string | undefined>();
  const measure = (): { live: number; modified: number; depthFirst: number; incremental: number } => {
    const { graph, objects } = graphOf(root, heads);
    const raw = objects.map((object) =>
      object === root ? heads.map(idOf).join() : rawOf(object as ListNode),
    );
    const byTable = table.locate(
      graph,
      objects.map((object) => locations.get(object)),
    );
    locations = new Map(objects.map((object, index) => [object, byTable[index]]));
    const chain = imagesAt(graph, byTable);
    states.add([...chain].sort().join("\n"));
    const first = imagesAt(graph, locateDepthFirst(graph));
    return {
      live: objects.length,
      modified: replace(before.raw, objects, raw),
      depthFirst: replace(before.depthFirst, objects, first),
      incremental: replace(before.chain, objects, chain),
    };
  };
  measure();
  for (let step = 0; step < steps; step++) {
    change(heads, random, mode);
    const { live, modified, depthFirst, incremental } = measure();
    sums.objects += live;
    sums.modified += (100 * modified) / live;
    sums.depthFirst += (100 * depthFirst) / live;
    sums.incremental += (100 * incremental) / live;
  }
  return {
    objects: sums.objects / steps,
    modified: sums.modified / steps,
    depthFirst: sums.depthFirst / steps,
    incremental: sums.incremental / steps,
    entries: table.entries,
    states: states.size,
  };
}

function generator(): (n: number) => number {
  let state = 42;
  return (n) => {
    state = Number((BigInt(state) * 1103515245n + 12345n) & 0x7fffffffn);
    return Math.floor(state / 65536) % n;
  };
}

function build(length: number, k: number): ListNode | null {
  let head: ListNode | null = null;
  for (let i = 0; i < length; i++) head = { value: 100 * k + i, next: head };
  return head;
}

function change(heads: (ListNode | null)[], random: (n: number) => number, mode: "mix" | "value"): void {
  const k = random(heads.length);
  const op = mode === "value" ? 2 : random(4);
  const nodes = nodesOf(heads[k]!);
  const n = nodes.length;
  if (op === 0 || n === 0) {
    const position = random(n + 1);
    const node: ListNode = { value: random(1000), next: nodes[position] ?? null };
    if (position === 0) heads[k] = node;
    else nodes[position - 1]!.next = node;
  } else if (op === 1) {
    const position = random(n);
    if (position === 0) heads[k] = nodes[0]!.next;
    else nodes[position - 1]!.next = nodes[position]!.next;
  } else if (op === 2) {
    nodes[random(n)]!.value = random(1000);
  } else {
    const other = random(heads.length);
    const node = nodes[0]!;
    heads[k] = node.next;
    node.next = heads[other]!;
    heads[other] = node;
  }
}

function nodesOf(head: ListNode | null): ListNode[] {
  const nodes: ListNode[] = [];
  for (let node = head; node; node = node.next) nodes.push(node);
  return nodes;
}

function graphOf(root: object, heads: readonly (ListNode | null)[]): { graph: HeapGraph; objects: object[] } {
  const objects: object[] = [root, ...heads.flatMap((head) => nodesOf(head))];
  const places = new Map(objects.map((object, place) => [object, place]));
  const pointer = (to: ListNode | null): HeapValue =>
    to ? { kind: "pointer", target: places.get(to)!, displacement: 0 } : { kind: "atom", atom: "null" };
  const graph: HeapObject[] = objects.map((object) =>
    object === root
      ? {
          name: "root",
          length: heads.length,
          tag: "",
          fields: heads.map((head, label) => ({ label, value: pointer(head) })),
        }
      : {
          name: "node",
          length: 2,
          tag: "",
          fields: [
            { label: 0, value: { kind: "atom", atom: `${(object as ListNode).value}` } },
            { label: 1, value: pointer((object as ListNode).next) },
          ],
        },
  );
  return { graph: { objects: graph }, objects };
}

const ids = new WeakMap<object, number>();
let nextId = 1;

function idOf(object: object | null): number {
  if (!object) return 0;
  let id = ids.get(object);
  if (id === undefined) ids.set(object, (id = nextId++));
  return id;
}

const rawOf = ({ value, next }: ListNode): string => `${value} ${idOf(next)}`;

/** Records current images; returns the number of changed or new ones. */
function replace(
  known: Map<object, string>,
  objects: readonly object[],
  now: readonly (string | undefined)[],
): number {
  const changed = objects.filter((object, index) => known.get(object) !== now[index]).length;
  known.clear();
  objects.forEach((object, index) => known.set(object, now[index]!));
  return changed;
}

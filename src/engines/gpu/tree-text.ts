/**
 * States as trees, as text: two words form a node, two nodes form a node above, and a state is the pair at the root. Equal nodes exist once.
 *
 * A node is one 64-bit entry of a table, its pair plus 1, and its number is its place there: entered by one compare-and-swap, read without a lookup.
 * Entry 0 stays free, so number 0 stands for the one pair whose entry would be 0. When the table is full the
 * launch is cut, and the host recodes all states for a larger one.
 */

type Child = { readonly word: number } | { readonly node: number };

interface Tree {
  /** Children come before their parents. */
  readonly nodes: readonly (readonly [Child, Child])[];
  readonly root: readonly [Child, Child];
}

/** Below this width a tree has no node beside its root. */
export const LEAST_TREE_WIDTH = 3;

/** Balanced: a changed word renews the nodes on one path. */
export function treeOf(width: number): Tree {
  const nodes: (readonly [Child, Child])[] = [];
  const pair = (from: number, to: number): readonly [Child, Child] => {
    const middle = from + Math.ceil((to - from) / 2);
    return [child(from, middle), child(middle, to)];
  };
  const child = (from: number, to: number): Child =>
    to - from === 1 ? { word: from } : { node: nodes.push(pair(from, to)) - 1 };
  return { root: pair(0, width), nodes };
}

/** The fields of `X` beside those of the flat store. */
export const TREE_FIELDS = `
  __global volatile ulong *nodes;
  ulong nodeEntries, mostProbes;
  uint *ids;
  int *base;`;

export const TREE_PARAMETERS = ["__global volatile ulong *nodes", "ulong nodeEntries"];

export const TREE_SETTING =
  "x->nodes = nodes; x->nodeEntries = nodeEntries; x->mostProbes = 256; x->ids = 0; x->base = 0;";

/** `full`, `nodesFull`: positions of results that say that there was no room. */
export function emitTree(width: number, full: number, nodesFull: number): string {
  const { nodes, root } = treeOf(width);
  const numberOf = (c: Child): string => ("word" in c ? `(uint)w[${c.word}]` : `n${c.node}`);
  const isSame = (c: Child): string =>
    "word" in c ? `w[${c.word}] == base[${c.word}]` : `n${c.node} == ids[${c.node}]`;
  const taken = (c: Child, text: string): string =>
    "word" in c ? `w[${c.word}] = (int)(${text});` : `uint n${c.node} = ${text};`;
  const split = ([left, right]: readonly [Child, Child]): string =>
    `${taken(left, "(uint)(e >> 32)")} ${taken(right, "(uint)e")}`;
  const compressed = (known: boolean): string =>
    nodes
      .map(([left, right], j) => {
        const made = `node_of(x, ${numberOf(left)}, ${numberOf(right)})`;
        return `  uint n${j} = ${known ? `${isSame(left)} && ${isSame(right)} ? ids[${j}] : ` : ""}${made};`;
      })
      .join("\n");
  const key = `key[0] = (int)${numberOf(root[0])}; key[1] = (int)${numberOf(root[1])};`;
  return `#define NODES ${Math.max(1, nodes.length)}
static inline uint node_of(X *x, uint left, uint right) {
  ulong entry = ((ulong)left << 32 | right) + 1;
  if (entry == 0 || x->isCut) return 0;
  ulong hash = entry * 0x9e3779b97f4a7c15ul;
  hash = (hash ^ hash >> 29) * 0xd6e8feb86659fd93ul;
  ulong at = 1 + mul_hi(hash ^ hash >> 32, x->nodeEntries - 1);
  for (ulong probes = 0; probes < x->mostProbes; probes++) {
    ulong known = x->nodes[at];
    if (known == 0) {
      known = atom_cmpxchg(x->nodes + at, 0ul, entry);
      if (known == 0) return (uint)at;
    }
    if (known == entry) return (uint)at;
    if (++at == x->nodeEntries) at = 1;
  }
  x->isCut = 1;
  x->results[${nodesFull}] = 1;
  x->results[${full}] = 1;
  return 0;
}
/** The pair at the root. */
static inline void compress_all(X *x, const int *w, int *key) {
${compressed(false)}
  ${key}
}
/** Likewise, where parts that equal the source's keep their nodes. */
static inline void compress(X *x, const int *w, int *key) {
  const int *base = x->base;
  const uint *ids = x->ids;
${compressed(true)}
  ${key}
}
static inline void read_tree(X *x, const int *key, int *w, uint *ids) {
  ulong e = (ulong)(uint)key[0] << 32 | (uint)key[1];
  ${split(root)}
${nodes
  .map((node, j) => `  e = x->nodes[n${j}] - 1; ids[${j}] = n${j}; ${split(node)}`)
  .reverse()
  .join("\n")}
}`;
}

/** Enters all states of a range into a larger table of nodes, and replaces their pairs. */
export const emitRecode = (parameters: string, setting: string): string => `
__kernel void recode(${parameters}, __global volatile ulong *larger, ulong largerEntries) {
  X search; X *x = &search;
  ${setting}
  x->mostProbes = largerEntries;
  int w[W], key[KW];
  uint ids[NODES];
  for (ulong i = first + get_global_id(0); i < last; i += get_global_size(0)) {
    if (is_hole(holes, i)) continue;
    read_key(x, i, key);
    x->nodes = nodes; x->nodeEntries = nodeEntries;
    read_tree(x, key, w, ids);
    x->nodes = larger; x->nodeEntries = largerEntries;
    compress_all(x, w, key);
    write_key(x, i, key);
  }
}`;

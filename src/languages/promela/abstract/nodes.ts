/** Rebuilds trees of plain nodes; a node without changes stays the same object, as facts about nodes are kept by identity. */

export interface Node {
  readonly kind: string;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";

/** Replaces the children of a node, except those under a key that `skips` names. In lists, a child may become several. */
export function mapped(
  node: Node,
  replace: (child: Node) => readonly Node[],
  skips: (node: Node, key: string) => boolean = () => false,
): Node {
  const changed: [string, unknown][] = [];
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== "object" || value === null || skips(node, key)) continue;
    const made = Array.isArray(value) ? listOf(value, replace) : childOf(value as object, replace, skips);
    if (made !== value) changed.push([key, made]);
  }
  return changed.length === 0 ? node : ({ ...node, ...Object.fromEntries(changed) } as Node);
}

function childOf(
  value: object,
  replace: (child: Node) => readonly Node[],
  skips: (node: Node, key: string) => boolean,
): object {
  if (isNode(value)) {
    const [only, ...more] = replace(value);
    if (only && more.length === 0) return only;
    // A statement that became several, where the grammar has one.
    const { span } = value as unknown as { readonly span: unknown };
    return { kind: "block", span, body: { kind: "sequence", span, steps: [only, ...more] } };
  }
  // An unnamed part, such as `active` with its count.
  return mapped(value as Node, replace, skips);
}

function listOf(list: readonly unknown[], replace: (child: Node) => readonly Node[]): readonly unknown[] {
  const made: unknown[] = list.flatMap((child): readonly unknown[] =>
    isNode(child) ? replace(child) : [child],
  );
  return made.length === list.length && made.every((each, i) => each === list[i]) ? list : made;
}

/** Relabelling, hiding and prefixes. A label of a set or a relabelling also stands for every label that it is a prefix of. */
import type { Change, RelabelTree, SetTree } from "./ast.js";
import type { Env, Names } from "./names.js";

export type Rename = (label: string) => readonly string[];

/** By old name, the new ones: a relation, so an action may become several, and several may become one. */
export function renaming(pairs: readonly RelabelTree[], names: Names, env: Env): Rename {
  const relation = new Map<string, string[]>();
  collect(pairs, names, env, relation);
  return (label) => {
    for (let end = label.length; end > 0; end = label.lastIndexOf(".", end - 1)) {
      const news = relation.get(label.slice(0, end));
      if (news) return news.map((name) => name + label.slice(end));
    }
    return [label];
  };
}

function collect(
  pairs: readonly RelabelTree[],
  names: Names,
  env: Env,
  relation: Map<string, string[]>,
): void {
  for (const pair of pairs) {
    if (pair.kind === "forall") {
      for (const each of names.combinations(pair.indices, env))
        collect(pair.pairs, names, each.env, relation);
      continue;
    }
    // Variables that the new label binds are known in the old one.
    for (const to of names.labels(pair.to, env))
      for (const from of names.labels(pair.from, to.env)) {
        const news = relation.get(from.name);
        if (!news) relation.set(from.name, [to.name]);
        else if (!news.includes(to.name)) news.push(to.name);
      }
  }
}

/** Does the set have the label, or a prefix of it? */
export function membership(set: SetTree, names: Names, env: Env): (label: string) => boolean {
  return matching(names.set(set, env));
}

/** Does the list have the label, or a prefix of it? */
export function matching(labels: readonly string[]): (label: string) => boolean {
  const all = new Set(labels);
  return (label) => {
    for (let end = label.length; end > 0; end = label.lastIndexOf(".", end - 1))
      if (all.has(label.slice(0, end))) return true;
    return false;
  };
}

/** `\` hides the labels of the set, `@` all others. */
export function hiding({ kind, set }: HidingChange, names: Names, env: Env): (label: string) => boolean {
  const has = membership(set, names, env);
  return kind === "hide" ? has : (label) => !has(label);
}

export type HidingChange = Extract<Change, { readonly set: SetTree }> & { readonly kind: "hide" | "keep" };

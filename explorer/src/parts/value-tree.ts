/**
 * Arranges flat names and texts as a tree: `s1.log`, `state[2]` and `P[0]:x` by their parts, and values such as
 * `[ask(3), { term: 1 }]` by their elements. Works on the texts alone, for any language.
 */

export interface Leaf {
  readonly name: string;
  readonly value: string | undefined;
  readonly was: string | undefined;
  readonly isChanged: boolean;
}

export interface TreeRow {
  /** Identifies the row: the name so far, and the way into its value. */
  readonly key: string;
  readonly label: string;
  readonly depth: number;
  /** Name of the variable, on the row of a variable itself. */
  readonly name: string | undefined;
  readonly value: string | undefined;
  readonly was: string | undefined;
  readonly isChanged: boolean;
  /** It can be folded; absent on single values. */
  readonly isOpen: boolean | undefined;
}

/** The visible rows; `isOpen` decides about the rows that can be folded. */
export function treeRows(
  leaves: readonly Leaf[],
  isOpen: (key: string, row: Foldable) => boolean,
): TreeRow[] {
  const root: Branch = { children: new Map(), leaf: undefined };
  for (const leaf of leaves) insert(root, segmentsOf(leaf.name), leaf);
  const rows: TreeRow[] = [];
  for (const [label, child] of root.children) addRows(rows, label, child, "", 0, isOpen);
  return rows;
}

export interface Foldable {
  /** Variables, or elements of a value. */
  readonly size: number;
  readonly hasChanges: boolean;
  readonly isValue: boolean;
}

interface Branch {
  readonly children: Map<string, Branch>;
  leaf: Leaf | undefined;
}

/** `P[0]:x.y` as `P`, `[0]`, `:x`, `.y`; a name in another form is one segment. */
export function segmentsOf(name: string): string[] {
  const parts = name.match(/^[^.:[\]{}]+|[.:][^.:[\]{}]+|\[[^\]]*\]|\{[^}]*\}/g) ?? [];
  return parts.join("") === name ? parts : [name];
}

function insert(branch: Branch, segments: readonly string[], leaf: Leaf): void {
  const [first, ...rest] = segments;
  if (first === undefined) {
    branch.leaf = leaf;
    return;
  }
  let child = branch.children.get(first);
  if (!child) branch.children.set(first, (child = { children: new Map(), leaf: undefined }));
  insert(child, rest, leaf);
}

function addRows(
  rows: TreeRow[],
  label: string,
  branch: Branch,
  before: string,
  depth: number,
  isOpen: (key: string, row: Foldable) => boolean,
): void {
  const only = branch.leaf === undefined && branch.children.size === 1 ? [...branch.children][0] : undefined;
  // A group of one needs no row.
  if (only) return addRows(rows, `${label}${only[0]}`, only[1], before, depth, isOpen);
  const key = `${before}${label}`;
  if (branch.leaf) addLeaf(rows, label, branch.leaf, depth, isOpen);
  if (branch.children.size === 0) return;
  const all = leavesOf(branch);
  const changed = all.filter(({ isChanged }) => isChanged).length;
  const opens = isOpen(key, { size: all.length, hasChanges: changed > 0, isValue: false });
  if (!branch.leaf)
    rows.push({
      key,
      label,
      depth,
      name: undefined,
      value: opens ? "" : `${all.length} values${changed > 0 ? `, ${changed} changed` : ""}`,
      was: undefined,
      isChanged: false,
      isOpen: opens,
    });
  if (!opens) return;
  for (const [next, child] of branch.children)
    addRows(rows, next.replace(/^[.:]/, ""), child, `${key}/`, depth + 1, isOpen);
}

const leavesOf = (branch: Branch): Leaf[] => [
  ...(branch.leaf ? [branch.leaf] : []),
  ...[...branch.children.values()].flatMap(leavesOf),
];

function addLeaf(
  rows: TreeRow[],
  label: string,
  { name, value, was, isChanged }: Leaf,
  depth: number,
  isOpen: (key: string, row: Foldable) => boolean,
): void {
  const add = (
    key: string,
    text: string,
    now: string | undefined,
    old: string | undefined,
    at: number,
  ): void => {
    const elements = elementsOf(now ?? "");
    const differs = isChanged && now !== old;
    const opens = elements && isOpen(key, { size: elements.length, hasChanges: differs, isValue: true });
    rows.push({
      key,
      label: text,
      depth: at,
      name: at === depth ? name : undefined,
      value: now,
      was: old,
      isChanged: differs,
      isOpen: opens,
    });
    if (!elements || !opens) return;
    const before = new Map((elementsOf(old ?? "") ?? []).map((element) => [element.label, element.text]));
    for (const element of elements)
      add(`${key}/${element.label}`, element.label, element.text, before.get(element.label), at + 1);
  };
  add(name, label, value, was, depth);
}

export interface Element {
  readonly label: string;
  readonly text: string;
}

/** Elements of a list, fields of a record, items of an enumeration; undefined for a single value. */
export function elementsOf(value: string): Element[] | undefined {
  const text = value.trim();
  const isList = text.startsWith("[") && closing(text) === text.length - 1;
  const isRecord = text.startsWith("{") && closing(text) === text.length - 1;
  const parts = splitAtCommas(isList || isRecord ? text.slice(1, -1) : text);
  if (!parts || parts.length === 0 || (parts.length < 2 && !isList && !isRecord)) return undefined;
  return parts.map((part, index) => {
    const field = isRecord ? /^([\w$-]+|'[^']*'|"[^"]*"): (.*)$/s.exec(part) : null;
    return field ? { label: field[1]!, text: field[2]! } : { label: `[${index}]`, text: part };
  });
}

/** Splits at the commas outside brackets and quotes; undefined if brackets do not match. */
function splitAtCommas(text: string): string[] | undefined {
  if (text.trim() === "") return [];
  const parts: string[] = [];
  let start = 0;
  const depth = scan(text, (at, level) => {
    if (level !== 0 || text[at] !== "," || text[at + 1] !== " ") return;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
  });
  if (depth !== 0) return undefined;
  return [...parts, text.slice(start).trim()];
}

function closing(text: string): number {
  let end = -1;
  scan(text, (at, level) => {
    if (end < 0 && level === 1 && ")]}".includes(text[at]!)) end = at;
  });
  return end;
}

/** Visits every character outside quotes with the number of open brackets before it; returns those left open. */
function scan(text: string, visit: (at: number, depth: number) => void): number {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!;
    if (quote !== "") {
      if (c === "\\") at++;
      else if (c === quote) quote = "";
      continue;
    }
    // An apostrophe inside a word is not a quote.
    if ("'\"".includes(c) && !/\w/.test(text[at - 1] ?? "")) {
      quote = c;
      continue;
    }
    visit(at, depth);
    if ("([{".includes(c)) depth++;
    else if (")]}".includes(c)) depth--;
    if (depth < 0) return depth;
  }
  return quote === "" ? depth : -1;
}

/** Locates a program's places in a state or in a variable, with the code that evaluates their indices. */
import {
  isSimple,
  valuesOf,
  type PathStep,
  type Place,
  type RuleType,
  type SimpleType,
} from "../../../model/rules.js";
import { PRESENCE, leavesIn, type LayoutNode, type RuleLayout, type SimpleNode } from "../layout.js";
import { emitCode } from "./cells.js";
import type { Index, Located, Scope } from "./scope.js";

/** `setup`: assignments to temporary variables, to be evaluated in this order before the place is used. */
export interface Found {
  readonly setup: readonly string[];
  readonly place: Located;
}

/** The index of an element, as an expression or a number; checks its range. */
export type EmitIndex = (step: PathStep & { kind: "index" }, scope: Scope) => string | number;

export function locate(
  { root, path }: Place,
  scope: Scope,
  layout: RuleLayout,
  types: readonly { readonly type: RuleType }[],
  emitIndex: EmitIndex,
): Found {
  const setup: string[] = [];
  let place = rootOf(root, scope, layout, types);
  for (const step of path) {
    // sound: test/compile/rules/conditions.test.ts
    if (step.kind === "field") place = fieldOf(place, step.field);
    else if (step.kind === "index") {
      const index = emitIndex(step, scope);
      place = elementOf(place, kept(index, scope, setup), 0);
    } else {
      let position = elementName(scope, step.slot);
      // sound: test/compile/rules/conditions.test.ts
      if (step.site >= 0) {
        const isThere = emitCode(presenceOf(place, position), scope);
        const found = scope.text.fresh();
        setup.push(`${found} = ${position} < 0 || ${isThere} === 0 ? fail(${step.site}) : ${position}`); // sound: test/compile/rules/conditions.test.ts
        position = found;
      }
      place = elementOf(place, position, 1);
    }
  }
  return { setup, place };
}

export function elementName({ bindings }: Scope, slot: number): string {
  const binding = bindings.get(slot);
  if (binding?.kind !== "element") throw new Error(`slot ${slot} is not an element`);
  return binding.name;
}

export const presenceOf = (place: Located, position: Index): Located => {
  if (place.kind === "state" && place.node.kind === "multiset")
    return { ...place, node: place.node.presence, type: PRESENCE, indices: [...place.indices, position] };
  const within = elementOf(place, position, 0);
  return within.kind === "numbered" ? { ...within, type: PRESENCE } : within;
};

export function fieldOf(place: Located, field: number): Located {
  if (place.kind === "register" || place.type.kind !== "record") throw new Error("only records have fields");
  const { fields } = place.type;
  const { type } = fields[field]!;
  if (place.kind === "state" && place.node.kind === "record")
    return { ...place, node: place.node.fields[field]!, type };
  if (place.kind !== "numbered") throw new Error("the layout does not follow the type");
  const before = fields.slice(0, field).reduce((sum, f) => sum + leavesIn(f.type), 0);
  return { ...place, offset: place.offset + before, type };
}

/** `skipped`: leaves of the element that come before it (the presence bit). */
export function elementOf(place: Located, index: Index, skipped: 0 | 1): Located {
  if (place.kind === "register" || (place.type.kind !== "array" && place.type.kind !== "multiset"))
    throw new Error("only arrays and multisets have elements");
  const type = place.type.element;
  if (place.kind === "state") {
    const { node } = place;
    if (node.kind !== "array" && node.kind !== "multiset")
      throw new Error("the layout does not follow the type");
    return { ...place, node: node.element, type, indices: [...place.indices, index] };
  }
  const stride = leavesIn(type) + (place.type.kind === "multiset" ? 1 : 0); // sound: test/compile/rules/conditions.test.ts
  const { leaf } = place;
  if (typeof index === "number") return { ...place, offset: place.offset + skipped + index * stride, type };
  return { ...place, leaf: numbered(leaf, index, stride), offset: place.offset + skipped, type };
}

const numbered = (leaf: Index, index: string, stride: number): string => {
  const step = stride === 1 ? index : `${index} * ${stride}`;
  return leaf === 0 ? step : `${leaf} + ${step}`; // sound: test/compile/rules/conditions.test.ts
};

/** The simple parts in the order of leaf numbers, including the presence bits of multisets. */
export function partsOf(place: Located): Located[] {
  if (isSimple(place.type)) return [place];
  switch (place.type.kind) {
    case "record":
      return place.type.fields.flatMap((_, field) => partsOf(fieldOf(place, field)));
    case "array":
      return range(valuesOf(place.type.index)).flatMap((i) => partsOf(elementOf(place, i, 0)));
    case "multiset":
      return range(place.type.bound).flatMap((i) => [
        presenceOf(place, i),
        ...partsOf(elementOf(place, i, 1)),
      ]);
  }
}

/** The leaf number of its first part, as an expression. */
export function leafNumber(place: Located): string {
  switch (place.kind) {
    case "register":
      throw new Error("a register has no leaf number");
    case "numbered":
      return place.offset === 0 ? String(place.leaf) : `${place.leaf} + ${place.offset}`;
    case "state": {
      const strides = leafStrides(place);
      const terms = place.indices.map((index, i) =>
        typeof index === "number" ? index * strides[i]! : `${index} * ${strides[i]}`,
      );
      const known = terms.reduce<number>(
        (sum, term) => (typeof term === "number" ? sum + term : sum),
        place.node.firstLeaf,
      );
      return [...terms.filter((term) => typeof term === "string"), known].join(" + ");
    }
  }
}

/** By node, how many leaves apart the elements of the enclosing arrays and multisets are. */
const strideTable = new WeakMap<LayoutNode, readonly number[]>();

export function noteStrides(node: LayoutNode, strides: readonly number[] = []): void {
  strideTable.set(node, strides);
  switch (node.kind) {
    case "simple":
      break;
    case "record":
      for (const field of node.fields) noteStrides(field, strides);
      break;
    case "array":
      noteStrides(node.element, [...strides, node.element.leafCount]);
      break;
    case "multiset":
      noteStrides(node.element, [...strides, node.element.leafCount + 1]);
      noteStrides(node.presence, [...strides, node.element.leafCount + 1]);
  }
}

function leafStrides({ node }: Located & { kind: "state" }): readonly number[] {
  const strides = strideTable.get(node);
  if (!strides) throw new Error("a node of another layout");
  return strides;
}

function rootOf(
  root: Place["root"],
  { bindings }: Scope,
  layout: RuleLayout,
  variables: readonly { readonly type: RuleType }[],
): Located {
  if (root.kind === "state") {
    const { variable } = root;
    return { kind: "state", node: layout.variables[variable]!, type: variables[variable]!.type, indices: [] };
  }
  const binding = bindings.get(root.slot);
  if (binding?.kind !== "place") throw new Error(`slot ${root.slot} is not a place`);
  return binding.place;
}

/** As a number or a variable, so that it is evaluated once. */
function kept(index: string | number, { text }: Scope, setup: string[]): Index {
  if (typeof index === "number" || /^[A-Za-z_]\w*$/.test(index)) return index;
  const name = text.fresh();
  setup.push(`${name} = ${index}`);
  return name;
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

export const simpleType = (place: Located): SimpleType => {
  if (!isSimple(place.type)) throw new Error("not a simple place");
  return place.type;
};

export type { SimpleNode };

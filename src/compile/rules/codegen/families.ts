/**
 * How a renaming of scalarset elements acts on a state: values, and positions in arrays that such elements index. The elements of
 * all renamed scalarsets are numbered through.
 */
import { isSimple, type RuleProgram, type RuleType, type SimpleType } from "../../../model/rules.js";
import type { Symmetry } from "../../../model/symmetry.js";
import type { Column, LayoutNode, RuleLayout } from "../layout.js";

export interface ElementSets {
  /** In the order of the plan: the first element and their number. */
  readonly sets: readonly { readonly scalarset: number; readonly first: number; readonly size: number }[];
  readonly count: number;
}

export function elementSets(program: RuleProgram, { scalarsets }: Symmetry): ElementSets {
  let count = 0;
  const sets = scalarsets.map((scalarset) => {
    const { size } = program.scalarsets[scalarset]!;
    const first = count;
    count += size;
    return { scalarset, first, size };
  });
  return { sets, count };
}

/** The set of an element. */
export const setOf = ({ sets }: ElementSets, element: number): ElementSets["sets"][number] =>
  sets.find(({ first, size }) => element >= first && element < first + size)!; // sound: test/transforms/symmetry/representatives.test.ts

/** Positions `start … start + size - 1` of a type's values are the elements `first …`. */
export interface Segment {
  readonly start: number;
  readonly first: number;
  readonly size: number;
}

/** The parts of a type that are renamed: one for a scalarset, several for a union, none for others. */
export function segmentsOf(type: SimpleType, { sets }: ElementSets): Segment[] {
  const segment = (scalarset: number, start: number): Segment[] =>
    sets.filter((set) => set.scalarset === scalarset).map(({ first, size }) => ({ start, first, size })); // sound: test/transforms/symmetry/representatives.test.ts
  if (type.kind === "scalarset") return segment(type.scalarset, 0); // sound: test/transforms/symmetry/representatives.test.ts
  if (type.kind !== "union") return []; // sound: test/transforms/symmetry/representatives.test.ts
  return type.members.flatMap(
    (member) => (member.type.kind === "scalarset" ? segment(member.type.scalarset, member.offset) : []), // sound: test/transforms/symmetry/representatives.test.ts
  );
}

export interface Dimension {
  readonly length: number;
  /** Undefined: positions in a multiset. */
  readonly index: SimpleType | undefined;
  readonly segments: readonly Segment[];
}

/** A column with the meaning of its values and positions. */
export interface Family {
  readonly column: Column;
  readonly dimensions: readonly Dimension[];
  readonly type: SimpleType;
  readonly segments: readonly Segment[];
}

/** A multiset, with the families of its elements' parts; their dimensions begin with the multiset's, then the position. */
export interface BagFamily {
  readonly presence: Family;
  readonly parts: readonly Family[];
}

export interface Families {
  /** Outside multisets. */
  readonly plain: readonly Family[];
  /** Outermost multisets only. */
  readonly bags: readonly BagFamily[];
}

export function familiesOf(program: RuleProgram, layout: RuleLayout, elements: ElementSets): Families {
  const plain: Family[] = [];
  const bags: BagFamily[] = [];
  const visit = (
    node: LayoutNode,
    type: RuleType,
    dimensions: readonly Dimension[],
    into: Family[],
  ): void => {
    if (node.kind === "simple") {
      if (!isSimple(type)) throw new Error("the layout does not follow the type");
      into.push({ column: node.column, dimensions, type, segments: segmentsOf(type, elements) });
    } else if (node.kind === "record" && type.kind === "record")
      node.fields.forEach((field, i) => {
        visit(field, type.fields[i]!.type, dimensions, into);
      });
    else if (node.kind === "array" && type.kind === "array") {
      const dimension = {
        length: node.length,
        index: type.index,
        segments: segmentsOf(type.index, elements),
      };
      visit(node.element, type.element, [...dimensions, dimension], into);
    } else if (node.kind === "multiset" && type.kind === "multiset") {
      const inside = [...dimensions, { length: node.length, index: undefined, segments: [] }];
      const presence = {
        column: node.presence.column,
        dimensions: inside,
        type: node.presence.type,
        segments: [],
      };
      const parts: Family[] = into === plain ? [] : into; // sound: test/transforms/symmetry/representatives.test.ts
      // sound: test/transforms/symmetry/representatives.test.ts
      if (into === plain) bags.push({ presence, parts });
      else parts.push(presence);
      visit(node.element, type.element, inside, parts);
    } else throw new Error("the layout does not follow the type");
  };
  layout.variables.forEach((node, i) => {
    visit(node, program.variables[i]!.type, [], plain);
  });
  return { plain, bags };
}

/** Upper bound on the elements that a value of the family involves. */
export const involvement = ({ dimensions, segments }: Family): number =>
  dimensions.filter((d) => d.segments.length > 0).length + (segments.length > 0 ? 1 : 0); // sound: test/transforms/symmetry/representatives.test.ts

/**
 * `canonicalise(w, o)`: replaces a state by the representative of its orbit.
 *
 * Elements are sorted by the parts of a state that mention each of them alone (*keys*). Often nothing else mentions them, and
 * elements with equal keys are interchangeable. If values relate elements to one another (an array over one scalarset of
 * values of another, messages with a sender and a receiver), elements that still look alike are distinguished by their
 * relations, repeatedly (colour refinement). If that leaves some alike, each in turn is individualised, and the least
 * resulting state is the representative; elements that can be exchanged without changing the state are tried only once (McKay
 * 1981). Keys are in `canonical-keys.ts`, the parts that do not depend on the program in `canonical-search.ts`.
 *
 * Always true: no step uses the numbers of elements, except to choose among equivalent ones.
 */
import { valuesOf, type RuleProgram, type SimpleType } from "../../../model/rules.js";
import type { Symmetry } from "../../../model/symmetry.js";
import { ALL_IN_ONE_WORD, ordinalStride, type Column, type RuleLayout } from "../layout.js";
import { hasBags } from "./bags.js";
import { emitCanonicalSearch, saltOf } from "./canonical-search.js";
import { Keys, scopeOf, tuples } from "./canonical-keys.js";
import { emitColumnCode, maskOf } from "./cells.js";
import {
  elementSets,
  familiesOf,
  involvement,
  segmentsOf,
  setOf,
  type BagFamily,
  type Dimension,
  type ElementSets,
  type Families,
  type Family,
} from "./families.js";
import { FunctionText, block, indent, type Index, type Scope } from "./scope.js";

export function emitCanonicaliser(program: RuleProgram, layout: RuleLayout, symmetry: Symmetry): string {
  return new CanonicalEmitter(program, layout, symmetry).emit();
}

class CanonicalEmitter {
  readonly #layout: RuleLayout;
  readonly #elements: ElementSets;
  readonly #families: Families;
  readonly #isExact: boolean;
  /** Types of renamed values and indices, each with a table from old to new positions. */
  readonly #types: SimpleType[] = [];

  constructor(program: RuleProgram, layout: RuleLayout, symmetry: Symmetry) {
    this.#layout = layout;
    this.#elements = elementSets(program, symmetry);
    this.#families = familiesOf(program, layout, this.#elements);
    this.#isExact = symmetry.form === "canonical"; // sound: test/transforms/symmetry/representatives.test.ts
  }

  emit(): string {
    const { plain, bags } = this.#families;
    // sound: test/transforms/symmetry/representatives.test.ts
    const alone = plain.filter((f) => involvement(f) === 1);
    // sound: test/transforms/symmetry/representatives.test.ts
    const relations = plain.filter((f) => involvement(f) > 1);
    // sound: test/transforms/symmetry/representatives.test.ts
    const involvedBags = bags.filter((bag) => [bag.presence, ...bag.parts].some((f) => involvement(f) > 0));
    const isComplete = relations.length + involvedBags.length === 0; // sound: test/transforms/symmetry/representatives.test.ts
    const { count, sets } = this.#elements;
    if (isComplete) {
      const numbered = new Keys(alone, this.#elements, true);
      if (numbered.areSortable) return numbered.emitSorting();
    }
    const keys = new Keys(alone, this.#elements, false);
    const permute = this.#permute([
      ...alone,
      ...relations,
      ...involvedBags.flatMap((b) => [b.presence, ...b.parts]),
    ]);
    const related = this.#related(relations, involvedBags);
    const most = mostRelated(relations, involvedBags);
    const levels = isComplete ? 1 : Math.min(count, Math.ceil(MOST_KEPT / count));
    return `// Elements of all scalarsets, numbered through: their keys, their order by what is known of them, their colours (the first
// place among those that look alike), and their new numbers.
const KEY_WORDS = ${keys.words};
const KEY = new Int32Array(${Math.max(1, count * keys.words)}), ORDER = new Int32Array(${count}), COLOUR = new Int32Array(${count});
const RENAMED = new Int32Array(${count}), FIRSTS = [${sets.map((s) => s.first).join(", ")}, ${count}], SET_OF = [${sets
      .flatMap((s, i) => Array.from({ length: s.size }, () => i))
      .join(", ")}];
// The state, and what comes of it.
const u = new Int32Array(${this.#layout.words}), candidate = new Int32Array(${this.#layout.words}), best = new Int32Array(${this.#layout.words});
${this.#tables()}
${keys.emitRead()}
${permute}
${related}
const hasRelations = ${String(!isComplete)}, isExact = ${String(this.#isExact)}, STATE_WORDS = ${this.#layout.words};
// Elements that a value relates, and their roles in it.
const PARTICIPANT = new Int32Array(${most}), ROLE = new Int32Array(${most}), LOOK = new Int32Array(${most});
// Elements are set apart one after the other: what ORDER, COLOUR and \`alike\` were on each level.
const ELEMENTS = ${count}, LEVELS = ${levels};
const ORDERS = new Int32Array(${levels * count}), COLOURS = new Int32Array(${levels * count}), ALIKES = new Int32Array(${levels});
function settle(w, o) {${hasBags(this.#layout) ? " sortBags(w, o); " : ""}}
${emitCanonicalSearch(keys.words)}`;
  }

  /** `permute(to, p)`: writes the image of `u` under RENAMED. */
  #permute(families: readonly Family[]): string {
    // sound: test/transforms/symmetry/representatives.test.ts
    const moved = families.filter((f) => involvement(f) > 0);
    const keep = this.#keptBits(moved);
    const text = new FunctionText();
    const lines = moved.map((family) => this.#move(family, text));
    const kept = keep.map((bits, k) => `to[p + ${k}] = u[${k}] & ${bits};`);
    return block(
      "function permute(to, p)",
      `${text.declarations()}\nfillTables();\n${kept.join(" ")}\n${lines.join("\n")}`,
    );
  }

  #move({ column, dimensions, type, segments }: Family, text: FunctionText): string {
    const scope = scopeOf(text, "u", "");
    return forEach(dimensions, text, (indices) => {
      const code = emitColumnCode(column, indices, scope);
      // sound: test/transforms/symmetry/representatives.test.ts
      const value = segments.length > 0 ? `CODES_${this.#table(type)}[${code}]` : code;
      const places = dimensions.map((d, i) =>
        // sound: test/transforms/symmetry/representatives.test.ts
        d.segments.length > 0 ? `MOVES_${this.#table(d.index!)}[${indices[i]}]` : String(indices[i]),
      );
      return emitOr(column, places, value, text);
    });
  }

  /** `relate()`: for each value that relates elements, tells `contribute` of it. */
  #related(relations: readonly Family[], bags: readonly BagFamily[]): string {
    const text = new FunctionText();
    const scope = scopeOf(text, "u", "");
    let role = 1;
    const lines = relations.map((family) => {
      const first = role;
      role += family.dimensions.length + 1;
      return forEach(family.dimensions, text, (indices) => this.#relation(family, indices, first, scope));
    });
    const bagLines = bags.map((bag) => {
      const { code, next } = this.#bagRelation(bag, role, scope);
      role = next;
      return code;
    });
    return block("function relate()", `${text.declarations()}\n${[...lines, ...bagLines].join("\n")}`);
  }

  #relation(family: Family, indices: readonly Index[], role: number, scope: Scope): string {
    const { column, dimensions, segments, type } = family;
    const pair = this.#pair(family, indices, role, scope);
    if (pair !== undefined) return pair;
    const lines = [
      `t = ${emitColumnCode(column, indices, scope)};`,
      "related = 0; attribute = " + `${role};`,
    ];
    dimensions.forEach((d, i) => {
      // sound: test/transforms/symmetry/representatives.test.ts
      if (d.segments.length > 0) lines.push(this.#participant(d.index!, `${indices[i]}`, role + i));
      else lines.push(`attribute = mixed(attribute + ${indices[i]});`);
    });
    // sound: test/transforms/symmetry/representatives.test.ts
    if (segments.length > 0) {
      const element = `ELEMENTS_${this.#table(type)}[t - 1]`;
      lines.push(
        `if (t > 0 && ${element} >= 0) participate(${element}, ${role + dimensions.length}); else attribute = mixed(attribute + t);`, // sound: test/transforms/symmetry/representatives.test.ts
      );
    } else lines.push("attribute = mixed(attribute + t);");
    return `${lines.join(" ")} contribute();`;
  }

  /** A value that relates two elements that are known to be elements, where nothing else has to be computed. */
  #pair(family: Family, indices: readonly Index[], role: number, scope: Scope): string | undefined {
    const { column, dimensions, segments, type } = family;
    const salt = (who: number): number =>
      saltOf(role, who, ...indices.map((index, d) => (isPlain(d) ? Number(index) : 0))); // sound: test/transforms/symmetry/representatives.test.ts
    const isPlain = (d: number): boolean => dimensions[d]!.segments.length === 0;
    const participants = dimensions.flatMap((d, i) =>
      isPlain(i) ? [] : [{ type: d.index!, position: `${indices[i]}` }],
    );

    if (segments.length > 0) participants.push({ type, position: "t - 1" });
    if (participants.length !== 2 || participants.some((p) => p.type.kind !== "scalarset")) return undefined;
    if (indices.some((index, d) => isPlain(d) && typeof index !== "number")) return undefined;
    const [a, b] = participants.map((p) => `ELEMENTS_${this.#table(p.type)}[${p.position}]`);
    const code = `t = ${emitColumnCode(column, indices, scope)};`;
    // An undefined value relates nothing; the code of an element is its number, which must not be hashed.
    const related = `if (t > 0) relatePair(${a}, ${b}, ${salt(1)}, ${salt(2)});`;
    if (segments.length > 0) return `${code} ${related}`; // sound: test/transforms/symmetry/representatives.test.ts
    return `${code} relatePair(${a}, ${b}, ${salt(1)} + t | 0, ${salt(2)} + t | 0);`;
  }

  /** An element of a multiset with everything in it. Collections inside it are taken in stored order. */
  #bagRelation(bag: BagFamily, firstRole: number, scope: Scope): { code: string; next: number } {
    let role = firstRole;
    const { dimensions, column } = bag.presence;
    const code = forEach(dimensions, scope.text, (indices) => {
      role = firstRole;
      const lines = ["related = 0; " + `attribute = ${role++};`];
      dimensions.slice(0, -1).forEach((d, i) => {
        // sound: test/transforms/symmetry/representatives.test.ts
        if (d.segments.length > 0) lines.push(this.#participant(d.index!, String(indices[i]), role++));
        else lines.push(`attribute = mixed(attribute + ${indices[i]});`);
      });
      for (const part of bag.parts) {
        const own = role;
        role += 2;
        lines.push(
          forEach(part.dimensions.slice(indices.length), scope.text, (inner) =>
            this.#bagPart(part, [...indices, ...inner], indices.length, own, scope),
          ),
        );
      }
      return `if (${emitColumnCode(column, indices, scope)} !== 0) {\n${indent(lines.join("\n"))}\ncontribute();\n}`;
    });
    return { code, next: role };
  }

  #bagPart(part: Family, indices: readonly Index[], outer: number, role: number, scope: Scope): string {
    const { column, dimensions, type, segments } = part;
    const code = emitColumnCode(column, indices, scope);
    const plainIndices = dimensions.flatMap(
      (d, i) => (i >= outer && d.segments.length === 0 && d.index !== undefined ? [String(indices[i])] : []), // sound: test/transforms/symmetry/representatives.test.ts
    );
    const salt = plainIndices.reduce((sum, index) => `mixed(${sum} + ${index})`, String(role));
    const lines = [`t = ${code};`];
    dimensions.forEach((d, i) => {
      // sound: test/transforms/symmetry/representatives.test.ts
      if (i >= outer && d.segments.length > 0)
        lines.push(
          this.#participant(
            d.index!,
            String(indices[i]),
            `mixed(${salt} + ${segments.length > 0 ? 0 : "t"})`, // sound: test/transforms/symmetry/representatives.test.ts
          ),
        );
    });
    const element = `ELEMENTS_${this.#table(type)}[t - 1]`;
    lines.push(
      // sound: test/transforms/symmetry/representatives.test.ts
      segments.length > 0
        ? `if (t > 0 && ${element} >= 0) participate(${element}, ${salt}); else attribute = (attribute + mixed(${salt} + t)) | 0;`
        : `attribute = (attribute + mixed(${salt} + t)) | 0;`,
    );
    return lines.join(" ");
  }

  #participant(type: SimpleType, position: string, role: number | string): string {
    const element = `ELEMENTS_${this.#table(type)}[${position}]`;
    return `if (${element} >= 0) participate(${element}, ${role}); else attribute = mixed(attribute + ${position});`;
  }

  /** By word: the bits that a renaming leaves alone. */
  #keptBits(moved: readonly Family[]): number[] {
    const keep = Array.from({ length: this.#layout.words }, () => -1);
    for (const { column } of moved) {
      const length = column.dimensions.reduce((product, d) => product * d, 1);
      for (let ordinal = 0; ordinal < length; ordinal++) {
        const isOne = column.perWordBits === ALL_IN_ONE_WORD; // sound: test/transforms/symmetry/representatives.test.ts
        const word = column.word + (isOne ? 0 : ordinal >>> column.perWordBits);
        const inWord = isOne ? ordinal : ordinal & ((1 << column.perWordBits) - 1);
        keep[word]! &= ~(maskOf(column.bits) << (column.shift + inWord * column.stride));
      }
    }
    return keep;
  }

  /** For each type with renamed values: which element a position is, and to which position and code it moves. */
  #tables(): string {
    // Tables are numbered on demand, so their users must have been written before.
    const tables = this.#types.map((type, n) => {
      const length = valuesOf(type);
      const segments = segmentsOf(type, this.#elements);
      const elements = Array.from({ length }, (_, p) => {
        const segment = segments.find((s) => p >= s.start && p < s.start + s.size); // sound: test/transforms/symmetry/representatives.test.ts
        return segment ? segment.first + p - segment.start : -1;
      });
      const starts = elements.map((e, p) => (e < 0 ? p : p - (e - this.#firstOf(e)))); // sound: test/transforms/symmetry/representatives.test.ts
      return {
        declare: `const ELEMENTS_${n} = Int32Array.of(${elements.join(", ")}), STARTS_${n} = Int32Array.of(${starts.join(", ")}), MOVES_${n} = new Int32Array(${length}), CODES_${n} = new Int32Array(${length + 1});`,
        fill: `for (let p = 0; p < ${length}; p++) {
  const e = ELEMENTS_${n}[p];
  MOVES_${n}[p] = e < 0 ? p : STARTS_${n}[p] + RENAMED[e];
  CODES_${n}[p + 1] = MOVES_${n}[p] + 1;
}`,
      };
    });
    return `${tables.map((t) => t.declare).join("\n")}\n${block("function fillTables()", tables.map((t) => t.fill).join("\n"))}`;
  }

  #table(type: SimpleType): number {
    const known = this.#types.findIndex((other) => isSameType(other, type));
    return known >= 0 ? known : this.#types.push(type) - 1; // sound: test/transforms/symmetry/representatives.test.ts
  }

  #firstOf(element: number): number {
    return setOf(this.#elements, element).first;
  }
}

/** Words of all orders that levels keep; up to 1,000 elements there is a level for each. */
const MOST_KEPT = 1_000_000;

/** A value relates its indices and itself; an element of a multiset relates everything its parts do. */
function mostRelated(relations: readonly Family[], bags: readonly BagFamily[]): number {
  const inBag = ({ presence, parts }: BagFamily): number =>
    parts.reduce((sum, { dimensions }) => {
      const inner = dimensions.slice(presence.dimensions.length);
      return sum + (inner.length + 1) * inner.reduce((product, { length }) => product * length, 1);
    }, presence.dimensions.length);
  return Math.max(1, ...relations.map(({ dimensions }) => dimensions.length + 1), ...bags.map(inBag));
}

const isSameType = (a: SimpleType, b: SimpleType): boolean =>
  a === b || (a.kind === "scalarset" && b.kind === "scalarset" && a.scalarset === b.scalarset); // sound: test/transforms/symmetry/representatives.test.ts

/** Code for every combination of indices: written out if they are few, else in loops. */
function forEach(
  dimensions: readonly Dimension[],
  text: FunctionText,
  emit: (indices: readonly Index[]) => string,
): string {
  const total = dimensions.reduce((product, d) => product * d.length, 1);
  if (total <= MOST_WRITTEN_OUT) return tuples(dimensions).map(emit).join("\n");
  const names = dimensions.map(() => text.fresh());
  const heads = dimensions.map((d, i) => `for (${names[i]} = 0; ${names[i]} < ${d.length}; ${names[i]}++)`);
  return block(heads.join(" "), emit(names));
}

const MOST_WRITTEN_OUT = 32;

/** Adds a code at a place that is zero so far. */
function emitOr(column: Column, indices: readonly string[], code: string, text: FunctionText): string {
  const terms = indices.map((index, d) => {
    const stride = ordinalStride(column, d);
    return stride === 1 ? index : `${index} * ${stride}`;
  });
  const ordinal = terms.length === 0 ? "0" : terms.join(" + ");
  // sound: test/transforms/symmetry/representatives.test.ts
  if (column.perWordBits === ALL_IN_ONE_WORD)
    return `to[p + ${column.word}] |= ${code} << (${ordinal}) * ${column.stride} + ${column.shift};`;
  const name = text.fresh();
  const shift = `(${name} & ${(1 << column.perWordBits) - 1}) * ${column.stride} + ${column.shift}`;
  return `${name} = ${ordinal}; to[p + ${column.word} + (${name} >>> ${column.perWordBits})] |= ${code} << ${shift};`;
}

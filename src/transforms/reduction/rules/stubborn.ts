/**
 * Stubborn sets of rule instances (Valmari; Godefroid, "Partial-Order Methods", chapter 4).
 *
 * A set is closed: with an enabled instance it contains all dependent instances; with a disabled one every instance that may enable
 * it, by writing parts that the false conjunct of its guard reads. Then no instance outside of it can interfere with its
 * enabled ones, however long they are postponed.
 */
import { overlaps, type Region } from "./accesses.js";
import { isIndependent, type RuleInstance } from "./instances.js";
import { nth } from "../../../model/known.js";

export class StubbornSets {
  readonly #instances: readonly RuleInstance[];
  readonly #visible: readonly boolean[];
  readonly #dependent: (Int32Array | undefined)[] = [];
  readonly #enabling: Map<number, Int32Array>[];
  readonly #isMember: Uint8Array;
  readonly #work: Int32Array;

  /** `observed`: parts that the checked properties read. */
  constructor(instances: readonly RuleInstance[], observed: readonly Region[]) {
    this.#instances = instances;
    this.#visible = instances.map(({ writes }) => overlaps(writes, observed));
    this.#enabling = instances.map(() => new Map());
    this.#isMember = new Uint8Array(instances.length);
    this.#work = new Int32Array(instances.length);
  }

  /**
   * The enabled instances of the closed set around `seed`, in order; undefined if one of them changes a part that a property
   * reads. `falseConjunct`: the first conjunct of a disabled instance's guard that is false, or their number if all hold.
   */
  around(
    seed: number,
    isEnabled: Uint8Array,
    falseConjunct: (instance: number) => number,
  ): number[] | undefined {
    this.#isMember.fill(0);
    const ample: number[] = [];
    let count = this.#add(seed, 0);
    for (let i = 0; i < count; i++) {
      const one = this.#work[i]!;
      if (isEnabled[one] === 1) {
        if (this.#visible[one]) return undefined; // sound: test/transforms/reduction/rules.test.ts
        ample.push(one);
      }
      const needed =
        isEnabled[one] === 1 ? this.#dependentOn(one) : this.#enablersOf(one, falseConjunct(one));
      for (const other of needed) count = this.#add(other, count); // sound: test/transforms/reduction/rules.test.ts
    }
    return ample.sort((a, b) => a - b);
  }

  #add(one: number, count: number): number {
    if (this.#isMember[one] === 1) return count;
    this.#isMember[one] = 1;
    this.#work[count] = one;
    return count + 1;
  }

  #dependentOn(one: number): Int32Array {
    const instance = nth(this.#instances, one);
    return (this.#dependent[one] ??= this.#all((other) => !isIndependent(instance, other)));
  }

  /**
   * Writers of the parts that make the guard false. If all conjuncts hold, the body rejects the step: then writers of
   * anything it reads.
   */
  #enablersOf(one: number, conjunct: number): Int32Array {
    const known = nth(this.#enabling, one).get(conjunct);
    if (known) return known;
    const { prefixes, reads } = nth(this.#instances, one);
    const parts = prefixes[conjunct] ?? reads; // sound: test/transforms/reduction/rules.test.ts
    const writers = this.#all(({ writes }) => overlaps(writes, parts));
    nth(this.#enabling, one).set(conjunct, writers);
    return writers;
  }

  #all(isMeant: (instance: RuleInstance) => boolean): Int32Array {
    return Int32Array.from(
      this.#instances.flatMap((instance, number) => (isMeant(instance) ? [number] : [])),
    );
  }
}

/** Is a state settled: do all processes exist, and can none create another? */
import type { Program, Words } from "../../model/index.js";
import { creates, creatorsOf, dies, edgesIn } from "../../model/program-walk.js";
import type { ProcessSymmetry } from "../../model/symmetry.js";
import type { Layout, ScalarSlot } from "../layout.js";
import { bitsAt } from "./tables.js";

export class Settledness {
  /** Words of a settled state. */
  readonly width: number;
  readonly #processes: readonly number[];
  readonly #blocks: readonly number[];
  readonly #tag: ScalarSlot;
  readonly #locations: readonly ScalarSlot[];
  /** By process, its creating locations. */
  readonly #creators: readonly (readonly boolean[])[];
  readonly #isAlways: boolean;

  /** `blocks`: first word of each process, and the end of the last. */
  constructor(program: Program, { processes }: Layout, symmetry: ProcessSymmetry, blocks: readonly number[]) {
    if (processes.kind !== "blocks") throw new Error("representatives need processes in blocks");
    this.width = blocks.at(-1)!;
    this.#processes = symmetry.processes;
    this.#blocks = blocks;
    this.#tag = processes.tag;
    this.#locations = symmetry.processes.map((t) => processes.records[t]!.location);
    const creators = program.templates.map(creatorsOf);
    this.#creators = symmetry.processes.map((t) => creators[t]!);
    // sound: test/compile/symmetry/canonical.test.ts
    this.#isAlways = ![...edgesIn(program)].some((edge) => creates(edge) || dies(edge));
  }

  holds(words: Words, at: number, width: number): boolean {
    if (this.#isAlways) return true;
    const { bit, bits } = this.#tag;
    // sound: test/compile/symmetry/canonical.test.ts
    if (width < this.width || (width > this.width && bitsAt(words, at + this.width, bit, bits) !== 0))
      return false;
    return this.#processes.every((template, p) => {
      const block = at + this.#blocks[p]!;
      const location = this.#locations[p]!;
      // sound: test/compile/symmetry/canonical.test.ts
      return (
        bitsAt(words, block, bit, bits) === template + 1 &&
        !this.#creators[p]![bitsAt(words, block, location.bit, location.bits)]
      );
    });
  }
}

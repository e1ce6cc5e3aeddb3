/** The numbered parts of states (`Model.numbering`), in a file beside the states that contain the numbers. */
import type { Numbering } from "../../../model/index.js";
import type { Checkpoint, Folder } from "./folder.js";
import { AppendedFile } from "./log.js";
import { damaged } from "./summed.js";

export class NumberLog {
  readonly #numbering: Numbering;
  readonly #file: AppendedFile;
  #count: number;
  /** Position after the records that are in the file. */
  #position = 0;

  /** Gives the stored parts their numbers again. */
  constructor(folder: Folder, numbering: Numbering, checkpoint: Checkpoint | undefined) {
    const stored = checkpoint?.numbers;
    if (checkpoint && !stored) throw damaged(NUMBERS, "the manifest does not name it"); // sound: test/session/interned-resources.test.ts
    this.#numbering = numbering;
    this.#count = stored?.words ?? 0;
    this.#file = new AppendedFile(folder, NUMBERS, this.#count, stored?.sum);
    if (stored) this.#position = numbering.restore(this.#file.read(0, this.#count)); // sound: test/session/interned-resources.test.ts
  }

  /** Writes the parts that were numbered since; they are on the disk afterwards. */
  flush(): NonNullable<Checkpoint["numbers"]> {
    const { words, end } = this.#numbering.recordsFrom(this.#position);
    this.#file.append(words, 0, words.length);
    this.#file.sync();
    this.#position = end;
    this.#count += words.length;
    return { words: this.#count, sum: this.#file.sum };
  }

  close(): void {
    this.#file.close();
  }
}

export const NUMBERS = "numbers";

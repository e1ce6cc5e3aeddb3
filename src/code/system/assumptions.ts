/** Assumptions of the model that reality may violate and on which nodes relied: one line of the scope each. */
import { Relied, defaultWorldOptions } from "../realm/index.js";
import type { Side } from "./node-runtime.js";
import type { Journal, Table } from "../../model/journal.js";
import { remainsOf, type DiskMode, type Remains } from "./remains.js";
import type { SystemSummary } from "./summary.js";

export class Assumptions {
  readonly #met = new Set<string>();
  #relied = 0;
  /** Shared by all threads. */
  readonly #shared: Table | undefined;

  constructor(journal?: Journal) {
    this.#shared = journal?.table((_, key) => this.#met.add(key));
  }

  add(what: string): void {
    if (this.#met.has(what)) return;
    this.#met.add(what);
    this.#shared?.number(what);
  }

  addRelied(relied: number, { random }: Pick<SystemSummary, "random">): void {
    if ((relied & ~this.#relied) === 0) return;
    this.#relied |= relied;
    const texts: readonly (readonly [bit: number, text: string])[] = [
      ...RELIED,
      [
        Relied.fewRandoms,
        random > 1 ? `random numbers: one of ${random} values` : "random numbers: always 0",
      ],
    ];
    for (const [bit, text] of texts) if (relied & bit) this.add(text); // sound: test/code/system/conditions.test.ts
  }

  get all(): readonly string[] {
    return [...this.#met].sort();
  }
}

const RELIED: readonly (readonly [bit: number, text: string])[] = [
  [Relied.date, `one date: ${new Date(defaultWorldOptions.epochMs).toISOString()}`],
  [Relied.timersAlone, "time passes by timers alone"],
  [Relied.uncollected, "weakly held objects are not collected"],
  [Relied.ownConnections, "every HTTP request has a separate connection"],
  [Relied.roomOnWire, "connections accept all writes"],
  [Relied.ownStreams, "the order of stream events may differ from Node's"],
];

/** Possible disks after a crash; records the assumption if the declared mode of the disk excludes some. */
export function remainsAfter(
  side: Pick<Side, "disk" | "unsynced">,
  { faults }: SystemSummary,
  assumptions: Assumptions,
): readonly Remains[] {
  const mode = modeOf(faults.unsynced);
  if (mode !== "reordered" && side.unsynced.length > (mode === "kept" ? 0 : 1)) assumptions.add(LOSSES[mode]);
  return remainsOf(side, mode, (faults.torn ?? 0) > 0);
}

const modeOf = (unsynced: SystemSummary["faults"]["unsynced"]): DiskMode =>
  unsynced === "kept" ? "kept" : unsynced === "lost-in-order" ? "in-order" : "reordered";

const LOSSES = {
  "in-order": "disks lose unsynced writes in order only",
  kept: "disks lose no unsynced writes",
} as const;

/** One run of a program with concrete inputs: the confirmation of an error, and a replay. */
import type { Place } from "../../model/module.js";
import { Terms } from "../../model/terms.js";
import { Bits } from "./bits.js";
import type { Coverage } from "./coverage.js";
import { Executor } from "./execute.js";
import { Ended, Machine, type Runnable } from "./machine.js";
import { startOf } from "./start.js";
import type { InputSource, PathEnd, PathState } from "./state.js";

export interface ConcreteRun {
  /** Undefined: the limit on steps was reached. */
  readonly end: PathEnd | undefined;
  readonly output: Uint8Array;
  /** Inputs in order, with their values. */
  readonly inputs: readonly {
    readonly name: string;
    readonly values: readonly bigint[];
    readonly isText: boolean;
    readonly source: InputSource;
  }[];
  /** The last places in the user's code, in order of execution. */
  readonly lines: readonly { readonly span: Place; readonly fn: string }[];
  /** Places executed, also those before `lines`. */
  readonly lineCount: number;
  /** More inputs were given than the program requests. */
  readonly isLonger: boolean;
  /** The run depends on the numbers of addresses. */
  readonly usesAddresses: boolean;
}

const KEPT_LINES = 200;

export function runConcretely(
  program: Runnable,
  inputs: readonly bigint[],
  maxSteps: number,
  isMirrored = false,
  coverage?: Pick<Coverage, "startRun" | "note">,
  /** Further inputs. */
  beyond?: (bits: number) => bigint,
): ConcreteRun {
  const taken: bigint[] = [];
  let usesAddresses = false;
  const machine = new Machine(
    {
      ...program,
      solver: undefined,
      maxDepth: Infinity,
      given: (bits) => {
        const value = inputs[taken.length] ?? beyond?.(bits);
        if (value !== undefined) taken.push(value);
        return value;
      },
      onFork: () => {
        throw new Error("a concrete run does not fork");
      },
      onGap: (gap) => (usesAddresses ||= gap === "address"),
      onInput: () => undefined,
    },
    new Bits(new Terms()),
  );
  const executor = new Executor(machine);
  const lines = new Lines();
  coverage?.startRun();
  let state: PathState | undefined;
  let end: PathEnd | undefined;
  try {
    state = startOf(executor, isMirrored);
    end = executor.run(state, maxSteps, (each) => {
      lines.note(each);
      coverage?.note(each);
    });
  } catch (ended) {
    if (!(ended instanceof Ended)) throw ended;
    end = ended.end;
  }
  let at = 0;
  return {
    end,
    output: Uint8Array.from((state?.output ?? []).flatMap((bytes) => [...bytes])),
    inputs: (state?.inputs ?? []).map(({ name, variables, isText, source }) => ({
      name,
      isText,
      source,
      values: taken.slice(at, (at += variables.length)),
    })),
    lines: lines.found,
    lineCount: lines.count,
    isLonger: taken.length < inputs.length,
    usesAddresses,
  };
}

/** The places of the user's code that were executed, without repetitions in a row. */
class Lines {
  found: { readonly span: Place; readonly fn: string }[] = [];
  count = 0;
  #last: Place | undefined;

  note({ frame: { fn, block, at } }: PathState): void {
    if (fn.isLibrary) return;
    const here = fn.blocks[block];
    const span = (here?.instructions[at] ?? here?.end)?.span;
    if (!span || (this.#last && this.#last.line === span.line && this.#last.file === span.file)) return;
    this.#last = span;
    this.count++;
    this.found.push({ span, fn: fn.name });
    if (this.found.length > 2 * KEPT_LINES) this.found = this.found.slice(-KEPT_LINES);
  }
}

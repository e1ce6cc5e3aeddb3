/** What can be asked of a session, by the command line and by programs alike. */
import type { AcceptedScope } from "../report/index.js";
import type { Budget, Control } from "../model/index.js";

/** A text to work on. `file` is its name in reports; included files are read through `readFile`. */
export interface Input {
  readonly file: string;
  readonly text: string;
  /** The text of a file, or undefined if there is none. Without it nothing can be included. */
  readonly readFile?: (path: string) => string | undefined;
}

/** What decides which system a text stands for: a trace says something only about the same one. */
export interface ModelOptions {
  /** By its name in the registry; otherwise the file's extension decides. */
  readonly language?: string;
  /** `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[];
  /** Conditions that are to hold in every state. */
  readonly invariants?: readonly string[];
  /** A send to a full channel loses the message. */
  readonly loseWhenFull?: boolean;
  /** A valid end state also needs every channel empty. */
  readonly endNeedsEmptyChannels?: boolean;
  /** At most so many processes alive at once. */
  readonly maxProcesses?: number;
}

export type SearchOrder = "bfs" | "dfs";

/** `exact`: states as they are; `tree`: their parts once each. Neither loses anything. */
export type StoreName = "exact" | "tree";

export interface CheckOptions extends ModelOptions {
  /** Names of properties to check; otherwise all. */
  readonly properties?: readonly string[];
  readonly checksDeadlock?: boolean;
  readonly search?: SearchOrder;
  /** Absent: whatever suits the search. */
  readonly store?: StoreName;
  /** One transition a statement: nothing merged, nothing reduced. */
  readonly isPlain?: boolean;
  readonly budget?: Budget;
  /** Stop after so many errors. */
  readonly maxErrors?: number;
  /** Warn about assignments that cut a value to fit its variable. */
  readonly warnsTruncation?: boolean;
  readonly accept?: AcceptedScope;
  readonly control?: Control;
}

/**
 * The `Program`: a system of guarded processes, as plain data with source spans.
 *
 * Languages make it (`languages/promela` lowers to it), everything that must look inside a system reads
 * it: the code generator, the interpreter, reductions, type checks, slicing. It does not depend on the
 * language.
 *
 * Reading order: `Program`, `Template` (one process type as a control-flow automaton), `Edge` (one basic
 * statement), then the expressions. Each declaration documents its semantics;
 * `compile/interpreter/` is the reference semantics, `compile/codegen/` the fast one.
 *
 * Invariants: indices are positions in the array they name; locals are in slots of their template, with
 * the parameters first; every place that can fail at run time names a `Site`.
 */
import type { Span } from "./diagnostic.js";
import type { Proposition, TemporalProperty } from "./temporal.js";

export interface Program {
  readonly name: string;
  readonly globals: readonly Variable[];
  /** Run once, in order, before the first process starts. */
  readonly initialisers: readonly Initialiser[];
  readonly channelTypes: readonly ChannelType[];
  readonly templates: readonly Template[];
  /** The processes alive at the start: process number = position. */
  readonly instances: readonly { readonly template: number; readonly arguments: readonly Expr[] }[];
  /** All possible run-time errors of a step. */
  readonly sites: readonly Site[];
  /** Conditions to hold in every state (`--invariant`); global expressions only. */
  readonly invariants: readonly { readonly name: string; readonly condition: Expr; readonly span: Span }[];
  /** Properties of infinite executions. Absent: none. */
  readonly temporal?: readonly ProgramProperty[];
  /** Additional condition of valid end states while processes exist: an event trace is complete. */
  readonly endCondition?: Expr;
  /** Templates whose processes the user declares to be interchangeable. Absent: none. */
  readonly interchangeable?: readonly { readonly template: number; readonly span: Span }[];
  readonly rules: Rules;
}

export interface ProgramProperty extends TemporalProperty {
  readonly propositions: readonly ProgramProposition[];
}

export interface ProgramProposition extends Proposition {
  /** Evaluated in no process's scope. */
  readonly condition: Expr;
}

/** Choices of semantics that hold for the whole program. */
export interface Rules {
  /** Maximum number of live processes (Spin: 255). One more is a fault. */
  readonly maxProcesses: number;
  readonly maxChannels: number;
  /** A send to a full channel succeeds and the message is lost (Spin's `-m`). */
  readonly loseWhenFull: boolean;
  /** A valid end state also needs every channel empty (Spin's `-q`). */
  readonly endNeedsEmptyChannels: boolean;
  /** Only enabled processes of the highest priority may move. */
  readonly usesPriorities: boolean;
}

// ---- data ----------------------------------------------------------------------------------------

/** A scalar is kept in `bits` bits, two's complement when `signed`; assignment truncates to that. */
export interface ScalarType {
  readonly kind: "scalar";
  readonly bits: number;
  readonly signed: boolean;
  /** Rendering of a value. */
  readonly display: Display;
}

export type Display =
  | { readonly kind: "number" | "bool" | "channel" | "pid" }
  | { readonly kind: "names"; readonly names: ReadonlyMap<number, string> };

export interface ArrayType {
  readonly kind: "array";
  readonly element: Type;
  readonly length: number;
}

export interface RecordType {
  readonly kind: "record";
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: Type }[];
}

export type Type = ScalarType | ArrayType | RecordType;

export interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly span: Span;
  /** Hidden: carried along with a state, but two states that differ only here are the same state. */
  readonly hidden: boolean;
  /** Made by the front end (a loop counter, say), so not shown. */
  readonly internal: boolean;
}

export interface ChannelType {
  readonly name: string;
  /** 0 is a rendezvous channel. */
  readonly capacity: number;
  readonly fields: readonly ScalarType[];
  readonly span: Span;
}

/** Gives a variable (or one element of it) its first value; `channel` creates a new channel and stores its number. */
export type Initialiser =
  | { readonly kind: "value"; readonly target: Place; readonly value: Expr }
  | { readonly kind: "channel"; readonly target: Place; readonly channelType: number };

/** A scalar inside a variable: the variable, then indices and fields down to the scalar. */
export interface Place {
  readonly scope: "global" | "local";
  readonly variable: number;
  readonly path: readonly (
    | { readonly kind: "index"; readonly index: Expr; readonly length: number; readonly site: number }
    | { readonly kind: "field"; readonly field: number }
  )[];
  readonly type: ScalarType;
}

// ---- control -------------------------------------------------------------------------------------

/** One process type: a control-flow automaton over its local variables. */
export interface Template {
  readonly name: string;
  readonly span: Span;
  /** The first `parameters` locals are set from the arguments at creation. */
  readonly parameters: number;
  readonly locals: readonly Variable[];
  /** Run in order at creation, after the parameters are set. */
  readonly initialisers: readonly Initialiser[];
  readonly locations: readonly Location[];
  readonly initial: number;
  /** Nothing of the process can run unless this holds. Evaluated in the process's own scope. */
  readonly provided: Expr | undefined;
  /** Priority at creation unless `run` says otherwise. */
  readonly priority: number;
  /** Channels this process claims as their only receiver (`xr`) or sender (`xs`), evaluated at creation. */
  readonly claims: readonly {
    readonly access: "receive" | "send";
    readonly channel: Expr;
    readonly site: number;
  }[];
}

export interface Location {
  /** Tried in this order. A location without edges is where a process ended that may not be removed yet. */
  readonly edges: readonly Edge[];
  /**
   * `step`: inside an indivisible step: the first executable edge is taken at once; having none is a fault.
   * Edges declare whether control stays inside an atomic sequence (`keepsControl`).
   */
  readonly inside: "none" | "step";
  readonly isEnd: boolean;
  readonly isProgress: boolean;
  readonly isAccept: boolean;
  readonly labels: readonly string[];
  /** The fault when `inside` is `step` and nothing can run; -1 otherwise. */
  readonly blockedSite: number;
  /** The number that the source language gives this place, which `control-point` yields; without one, its position. */
  readonly number?: number;
  /**
   * Source construct at this location: one statement, a jump (or the end of a block) that is a separate step, or a selection or
   * block whose first statements are the edges. Absent: unknown. Used by merging, not by execution.
   */
  readonly stands?: "statement" | "jump" | "compound";
  readonly span: Span;
}

/**
 * One basic statement. It is executable when its guard holds and its communication is possible;
 * then the communication happens, the effects in order, and control moves.
 */
export interface Edge {
  readonly to: number;
  readonly guard: Guard;
  readonly communication: Communication | undefined;
  readonly effects: readonly Effect[];
  /**
   * Escapes (`unless`): once an edge with a non-zero group was executable, edges of other groups that come
   * later at this location are not tried. 0 is the ordinary group.
   */
  readonly escapeGroup: number;
  /** After this edge the process stays in control (atomic) until it blocks. */
  readonly keepsControl: boolean;
  /** The statement as the user wrote it, on one line. */
  readonly text: string;
  readonly span: Span;
}

export type Guard =
  | { readonly kind: "always" }
  | { readonly kind: "condition"; readonly condition: Expr }
  /** No edge before it at this location was executable (the front end puts it last). */
  | { readonly kind: "else" };

/** A message and the pattern of a consuming receive must have the arity of the channel. Peeks may have fewer fields. */
export type Communication =
  | {
      readonly kind: "send";
      readonly channel: Expr;
      readonly message: readonly Expr[];
      /** Insert before the first message that is larger, instead of at the end. */
      readonly sorted: boolean;
      readonly site: number;
      /** The fault of a message with more or fewer fields than the channel. */
      readonly messageSite: number;
    }
  | {
      readonly kind: "receive";
      readonly channel: Expr;
      readonly pattern: readonly Pattern[];
      /** Take the first message that matches, not only the head. */
      readonly random: boolean;
      /** Leave the message in the channel. */
      readonly keep: boolean;
      readonly site: number;
      readonly messageSite: number;
      /** A rendezvous channel holds nothing that could stay in it. */
      readonly rendezvousSite: number;
    };

export type Pattern =
  | { readonly kind: "match"; readonly value: Expr }
  | { readonly kind: "store"; readonly target: Place }
  | { readonly kind: "ignore" };

export type Effect =
  | { readonly kind: "assign"; readonly target: Place; readonly value: Expr }
  | { readonly kind: "assert"; readonly condition: Expr; readonly site: number }
  /** `format` with C's conversions; shown in simulation and traces. */
  | { readonly kind: "print"; readonly format: string; readonly arguments: readonly PrintArgument[] }
  /** Creates a process; its number goes to `target`. */
  | {
      readonly kind: "run";
      readonly template: number;
      readonly arguments: readonly Expr[];
      readonly priority: Expr | undefined;
      readonly target: Place | undefined;
      readonly site: number;
      /** The fault of having no room for the channels that the new process creates. */
      readonly channelSite: number;
    }
  | { readonly kind: "set-priority"; readonly process: Expr; readonly value: Expr; readonly site: number }
  /** The process is removed, with the channels it created. Executable only while it is the youngest. */
  | { readonly kind: "die" };

export interface PrintArgument {
  readonly value: Expr;
  readonly display: Display;
}

// ---- expressions: 32-bit signed integers, as in C ---------------------------------------------------

/** Message of the error for mutually dependent `enabled` guards, in the user's terms. */
export const CIRCULAR_QUESTION = "`enabled` has no answer: the guards of processes ask it of each other";

export type Expr =
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "load"; readonly place: Place }
  | { readonly kind: "unary"; readonly op: "-" | "~" | "!"; readonly operand: Expr }
  | {
      readonly kind: "binary";
      readonly op: BinaryOp;
      readonly left: Expr;
      readonly right: Expr;
      /** For `/` and `%`: the fault of dividing by zero; -1 for the others. */
      readonly site: number;
    }
  | { readonly kind: "conditional"; readonly test: Expr; readonly then: Expr; readonly otherwise: Expr }
  | { readonly kind: "length"; readonly channel: Expr; readonly site: number }
  | {
      readonly kind: "channel-test";
      readonly test: "empty" | "full" | "nempty" | "nfull";
      readonly channel: Expr;
      readonly site: number;
    }
  /** Would this receive be executable? Undefined for rendezvous channels, which hold no messages. */
  | {
      readonly kind: "poll";
      readonly channel: Expr;
      readonly pattern: readonly Pattern[];
      readonly random: boolean;
      readonly site: number;
      readonly messageSite: number;
      /** The fault of polling a rendezvous channel. */
      readonly rendezvousSite: number;
    }
  | { readonly kind: "self" }
  | { readonly kind: "process-count" }
  /** The process that took the last step. */
  | { readonly kind: "last" }
  /** No statement in the whole system is executable without it. */
  | { readonly kind: "timeout" }
  /** No process is at a progress location. */
  | { readonly kind: "no-progress" }
  /** Some process is at an accept location. */
  | { readonly kind: "accepting" }
  /** Has that process an executable edge? Where the answer depends on itself: a `RangeError` with `CIRCULAR_QUESTION`. */
  | { readonly kind: "enabled"; readonly process: Expr; readonly site: number }
  | { readonly kind: "control-point"; readonly process: Expr; readonly site: number }
  | { readonly kind: "priority"; readonly process: Expr; readonly site: number }
  /** Is that process of that template at one of these locations? `process` undefined: the only instance. */
  | {
      readonly kind: "at";
      readonly template: number;
      readonly process: Expr | undefined;
      readonly locations: readonly number[];
      readonly site: number;
    }
  /** A local variable of another process. */
  | {
      readonly kind: "remote";
      readonly template: number;
      readonly process: Expr | undefined;
      /** Its scope is that process; indices in it are evaluated there. */
      readonly place: Place;
      readonly site: number;
    };

export type BinaryOp =
  | "+" | "-" | "*" | "/" | "%" | "<<" | ">>" | "&" | "^" | "|"
  | "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||"; // prettier-ignore

// ---- faults --------------------------------------------------------------------------------------

export type FaultKind =
  | "assertion"
  | "array-bounds"
  | "division-by-zero"
  | "bad-channel"
  | "bad-message"
  | "bad-process"
  | "too-many-processes"
  | "too-many-channels"
  | "blocked-step"
  | "exclusive-access"
  /** Messages moved otherwise than a trace says, or as a `notrace` says. */
  | "trace"
  | "notrace"
  /** A value outside its type's range. */
  | "out-of-range"
  /** The value of something that has none. */
  | "undefined-value"
  /** The model says itself that this must not be reached. */
  | "error"
  /** Calls deeper than is allowed, or a loop longer than is. */
  | "endless"
  /** A system that declares its quiescent states. */
  | "deadlock"
  /** Names an `event` property; the step may continue after it. */
  | "event"
  /** An assertion of a claim: no step of the system fails there. */
  | "never";

/** A place in the program where a step can go wrong. */
export interface Site {
  readonly fault: FaultKind;
  /** In words, for the verdict: `assertion violated: x == 3`. */
  readonly message: string;
  readonly span: Span;
  /** The property it violates, by name; absent: the one at its place, else the one for all faults of its kind. */
  readonly owner?: string;
}

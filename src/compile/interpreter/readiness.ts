/**
 * Decides executability without executing.
 *
 * `else` is executable if no earlier edge at its location was. A rendezvous send counts as executable if some process
 * received the message (Spin's `unsend` marks the sender as having moved after the handshake); a receive from a
 * rendezvous channel never counts: it only answers a sender.
 *
 * An edge whose guard or communication faults (bad index, no such channel) counts as executable: executing it is the
 * fault.
 */
import {
  CIRCULAR_QUESTION,
  type Communication,
  type Edge,
  type Location,
  type Program,
} from "../../model/index.js";
import { isFull, lengthOf, type Message } from "./buffer.js";
import { Evaluator, Fault, siteOf, type Scope } from "./evaluate.js";
import type { ChannelRecord, State } from "./state.js";

export type Readiness =
  | { readonly kind: "blocked" }
  | { readonly kind: "ready" }
  /** A rendezvous send: executable if some process receives the message. */
  | { readonly kind: "offer"; readonly offer: Offer };

export interface Offer {
  readonly sender: number;
  readonly edge: Edge;
  readonly channel: ChannelRecord;
  readonly message: Message;
}

/** Receiver of an offer and its edge, or the fault of trying (-1: none). */
export interface Partner {
  readonly process: number;
  readonly edge: Edge | undefined;
  readonly fault: number;
}

type Send = Communication & { kind: "send" };
type Receive = Communication & { kind: "receive" };

const blocked: Readiness = { kind: "blocked" };
const ready: Readiness = { kind: "ready" };

export class Rules {
  readonly evaluator: Evaluator;
  readonly #program: Program;
  /** Processes whose `enabled` is being evaluated, to detect circular guards. */
  readonly #asked = new Set<number>();

  constructor(program: Program) {
    this.#program = program;
    this.evaluator = new Evaluator(program, (scope, process) => this.isEnabled(scope, process));
  }

  locationOf(state: State, process: number): Location {
    return this.#program.templates[state.processes[process]!.template]!.locations[state.location(process)]!;
  }

  /** Is this edge of `scope.self` executable? `hasMoved`: an earlier edge at its location was. */
  readiness(edge: Edge, scope: Scope, hasMoved: boolean): Readiness {
    if (!this.#guardHolds(edge, scope, hasMoved)) return blocked;
    // sound: test/compile/cases/processes.test.ts
    if (edge.effects.some((e) => e.kind === "die") && scope.self !== scope.state.processes.length - 1)
      return blocked;
    switch (edge.communication?.kind) {
      case undefined:
        return ready;
      case "send":
        return this.#sendReadiness(edge, edge.communication, scope);
      case "receive":
        return this.#canReceive(edge.communication, scope) ? ready : blocked;
    }
  }

  canMove(scope: Scope): boolean {
    return orFault(() => this.mayMove(scope)) && this.#hasExecutableEdge(scope);
  }

  /** May `scope.self` move at all: its `provided` clause holds, and no process of higher priority can move? */
  mayMove(scope: Scope): boolean {
    // sound: test/compile/cases/control.test.ts
    if (!this.#isProvided(scope)) return false;
    // sound: test/compile/cases/control.test.ts
    if (!this.#program.rules.usesPriorities) return true;
    const { state, self } = scope;
    const mine = state.priority(self);
    // sound: test/compile/cases/control.test.ts
    return !state.processes.some(
      (_, other) =>
        state.priority(other) > mine &&
        this.#isSurelyProvided({ ...scope, self: other }) &&
        this.isEnabled(scope, other),
    );
  }

  /** Can the process execute some edge? Ignores its `provided` clause, as in Spin. */
  isEnabled(scope: Scope, process: number): boolean {
    // sound: test/compile/conditions.test.ts
    if (this.#asked.has(process)) throw new RangeError(CIRCULAR_QUESTION);
    this.#asked.add(process);
    try {
      return this.#hasExecutableEdge({ ...scope, self: process });
    } finally {
      this.#asked.delete(process);
    }
  }

  /**
   * The receives that answer an offer, youngest process first. `middle` is the state in which the sender has already
   * moved, as in Spin. Ignores priorities, which exclude rendezvous.
   */
  partners(offer: Offer, middle: State, timeout: boolean): Partner[] {
    const found: Partner[] = [];
    for (let process = middle.processes.length - 1; process >= 0; process--)
      // sound: test/compile/cases/handshakes.test.ts
      if (process !== offer.sender) this.#answers(offer, { state: middle, self: process, timeout }, found);
    return found;
  }

  #guardHolds(edge: Edge, scope: Scope, hasMoved: boolean): boolean {
    switch (edge.guard.kind) {
      case "always":
        return true;
      case "condition":
        return this.evaluator.holds(edge.guard.condition, scope);
      case "else":
        // sound: test/compile/cases/control.test.ts
        return !hasMoved;
    }
  }

  #sendReadiness(edge: Edge, send: Send, scope: Scope): Readiness {
    const channel = this.evaluator.channel(send.channel, scope, send.site);
    const { capacity, fields } = this.#program.channelTypes[channel.type]!;
    // sound: test/compile/cases/channels.test.ts
    const isBlocked = isFull(scope.state, channel) && !this.#program.rules.loseWhenFull;
    if (isBlocked) return blocked;
    // sound: test/compile/cases/channels.test.ts test/compile/cases/arities.test.ts
    if (send.message.length !== fields.length) throw new Fault(send.messageSite);
    // sound: test/compile/cases/channels.test.ts test/compile/cases/handshakes.test.ts
    if (capacity > 0) return ready;
    const message = this.evaluator.message(send.message, channel, scope);
    return { kind: "offer", offer: { sender: scope.self, edge, channel, message } };
  }

  #canReceive(receive: Receive, scope: Scope): boolean {
    const channel = this.evaluator.channel(receive.channel, scope, receive.site);
    // sound: test/compile/cases/handshakes.test.ts test/compile/cases/channels.test.ts
    if (receive.keep && this.#program.channelTypes[channel.type]!.capacity === 0)
      throw new Fault(receive.rendezvousSite);
    // sound: test/compile/cases/channels.test.ts
    if (lengthOf(scope.state, channel) === 0) return false;
    this.#checkArity(channel, receive);
    // sound: test/compile/cases/channels.test.ts
    const isFound = this.evaluator.findMessage(channel, receive.pattern, receive.random, scope) >= 0;
    return isFound && this.#takesAll(channel, receive);
  }

  #checkArity(channel: ChannelRecord, receive: Receive): void {
    // sound: test/compile/cases/channels.test.ts
    if (receive.pattern.length > this.#program.channelTypes[channel.type]!.fields.length)
      throw new Fault(receive.messageSite);
  }

  /** A receive that removes a message must match all its fields; a peek may omit some. */
  #takesAll(channel: ChannelRecord, receive: Receive): true {
    const { fields } = this.#program.channelTypes[channel.type]!;
    // sound: test/compile/cases/arities.test.ts
    if (!receive.keep && receive.pattern.length < fields.length) throw new Fault(receive.messageSite);
    return true;
  }

  #isProvided(scope: Scope): boolean {
    const { provided } = this.#program.templates[scope.state.processes[scope.self]!.template]!;
    // sound: test/compile/cases/control.test.ts
    return !provided || this.evaluator.holds(provided, scope);
  }

  /** For another process: a fault in its clause is reported by its own step, not here. */
  #isSurelyProvided(scope: Scope): boolean {
    try {
      return this.#isProvided(scope);
    } catch (e) {
      siteOf(e);
      return false;
    }
  }

  #hasExecutableEdge(scope: Scope): boolean {
    return this.locationOf(scope.state, scope.self).edges.some((edge) =>
      orFault(() => {
        const readiness = this.readiness(edge, scope, false);
        // sound: test/compile/cases/control.test.ts
        if (readiness.kind !== "offer") return readiness.kind === "ready";
        const { offer } = readiness;
        return this.partners(offer, afterSending(offer, scope.state), scope.timeout).length > 0;
      }),
    );
  }

  #answers(offer: Offer, scope: Scope, found: Partner[]): void {
    const { self: process, state } = scope;
    const tryOut = (edge: Edge | undefined, test: () => boolean): boolean => {
      try {
        return test();
      } catch (e) {
        found.push({ process, edge, fault: siteOf(e) });
        return false;
      }
    };
    // sound: test/compile/cases/control.test.ts test/compile/cases/handshakes.test.ts
    if (!tryOut(undefined, () => this.#isProvided(scope))) return;
    let group = 0;
    for (const edge of this.locationOf(state, process).edges) {
      // sound: test/compile/cases/handshakes.test.ts
      if (group !== 0 && edge.escapeGroup !== group) continue;
      const before = found.length;
      if (tryOut(edge, () => this.#takes(offer, edge, scope))) found.push({ process, edge, fault: -1 });
      if (found.length > before) group = edge.escapeGroup;
    }
  }

  /** Only removing receives answer: conditions, `else` and peeks do not run mid-handshake. */
  #takes(offer: Offer, edge: Edge, scope: Scope): boolean {
    const receive = edge.communication;
    // sound: test/compile/cases/handshakes.test.ts
    if (receive?.kind !== "receive" || receive.keep) return false;
    // sound: test/compile/cases/handshakes.test.ts
    if (this.#channelOf(receive, scope) !== offer.channel) return false;
    this.#checkArity(offer.channel, receive);
    // sound: test/compile/cases/arities.test.ts
    return (
      this.evaluator.matches(receive.pattern, offer.message, receive.random, scope) &&
      this.#takesAll(offer.channel, receive)
    );
  }

  /** Mid-handshake, a receive without a valid channel just does not answer; the fault belongs to its step. */
  #channelOf(receive: Receive, scope: Scope): ChannelRecord | undefined {
    try {
      return scope.state.channels[this.evaluator.value(receive.channel, scope) - 1];
    } catch (e) {
      siteOf(e);
      return undefined;
    }
  }
}

/** The middle of a handshake: sent, not yet received. */
export function afterSending(offer: Offer, before: State): State {
  const middle = before.clone();
  middle.setLocation(offer.sender, offer.edge.to);
  middle.last = offer.sender;
  return middle;
}

/** Counts a faulting test as passed: the step that follows then reports the fault. */
function orFault(test: () => boolean): boolean {
  try {
    return test();
  } catch (e) {
    siteOf(e);
    return true;
  }
}

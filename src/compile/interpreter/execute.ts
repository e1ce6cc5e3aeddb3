/**
 * Executes edges and indivisible steps, and creates processes.
 *
 * As in Spin, the location of a process and `_last` change at the end of its statement (or indivisible step); until then,
 * others see the old location.
 */
import type { Communication, Edge, Effect, Initialiser, Program, Template } from "../../model/index.js";
import { MOST_STEPS_INSIDE } from "../limits.js";
import type { Layout, ScalarSlot } from "../layout.js";
import { readScalar, writeScalar } from "./bits.js";
import { append, insertSorted, isFull, messageAt, remove, type Message } from "./buffer.js";
import { Fault, siteOf, type Evaluator, type Scope } from "./evaluate.js";
import type { Offer, Rules } from "./readiness.js";
import type { Recorder } from "./recorder.js";
import { State, type ChannelRecord } from "./state.js";

/** One step under construction. */
export class Run<R extends Recorder = Recorder> {
  /** Updated in place. */
  readonly state: State;
  readonly timeout: boolean;
  readonly recorder: R | undefined;
  /** Sites of the faults that do not end the step, each once, in order. */
  readonly failures: number[] = [];

  constructor(state: State, timeout: boolean, recorder?: R) {
    this.state = state;
    this.timeout = timeout;
    this.recorder = recorder;
  }

  /** Records a fault that does not end the step; others are thrown. */
  note(site: number): void {
    // sound: test/compile/cases/control.test.ts
    if (!this.failures.includes(site)) this.failures.push(site);
  }

  scope(process: number): Scope {
    return { state: this.state, self: process, timeout: this.timeout };
  }
}

type Claim = Template["claims"][number];
type Access = Claim["access"];
type Create = Effect & { kind: "run" };
type Send = Communication & { kind: "send" };
type Receive = Communication & { kind: "receive" };

export class Executor {
  readonly #program: Program;
  readonly #rules: Rules;
  readonly #evaluator: Evaluator;

  constructor(program: Program, rules: Rules) {
    this.#program = program;
    this.#rules = rules;
    this.#evaluator = rules.evaluator;
  }

  start(layout: Layout): Run {
    const run = new Run(State.blank(layout), false);
    const { state } = run;
    if (state.channels.length > this.#program.rules.maxChannels)
      throw new Error("too many channels at the start");
    this.#initialise(this.#program.initialisers, run.scope(-1), 0);
    for (const { template, arguments: args } of this.#program.instances) {
      if (!this.#hasRoomFor(state, template)) throw new Error("too many processes or channels at the start");
      const values = args.map((e) => this.#evaluator.value(e, run.scope(-1)));
      this.#create(run, template, values, this.#program.templates[template]!.priority);
    }
    return run;
  }

  /** Executes a step of one process and determines whether it keeps control. */
  move(run: Run, process: number, edge: Edge): void {
    this.#settle(run, process, this.#transit(run, process, edge, undefined));
  }

  /** Both halves of a rendezvous. As in Spin, the sender's edge does not affect control. */
  handshake(run: Run, offer: Offer, receiver: number, edge: Edge): void {
    const { state, recorder } = run;
    recorder?.statement(state, offer.sender, offer.edge);
    this.#checkClaim(run, "send", offer.channel, offer.sender);
    this.#effects(run, offer.sender, offer.edge);
    state.setLocation(offer.sender, offer.edge.to);
    state.last = offer.sender;
    recorder?.message(state, "rendezvous", offer.channel, offer.message, offer.sender, receiver);
    this.#settle(run, receiver, this.#transit(run, receiver, edge, offer));
  }

  /**
   * Executes an edge and, if it enters an indivisible step, continues to its end. Returns the last edge executed.
   * `answered`: the other half of the first edge's rendezvous.
   */
  #transit(run: Run, process: number, first: Edge, answered: Offer | undefined): Edge {
    const { locations } = this.#program.templates[run.state.processes[process]!.template]!;
    let edge = first;
    this.#execute(run, process, edge, answered);
    // sound: test/compile/cases/control.test.ts
    for (let steps = 1; locations[edge.to]!.inside === "step"; steps++) {
      // sound: test/compile/cases/limits.test.ts test/compile/cases/control.test.ts
      if (steps > MOST_STEPS_INSIDE) throw new Fault(locations[edge.to]!.blockedSite);
      edge = this.#firstReady(run, process, edge.to);
      this.#execute(run, process, edge, undefined);
    }
    return edge;
  }

  /** A rendezvous offer is not executable inside an indivisible step. */
  #firstReady(run: Run, process: number, at: number): Edge {
    const { locations } = this.#program.templates[run.state.processes[process]!.template]!;
    const location = locations[at]!;
    const scope = run.scope(process);
    // sound: test/compile/cases/control.test.ts
    const edge = location.edges.find((e) => this.#rules.readiness(e, scope, false).kind === "ready");
    if (!edge) throw new Fault(location.blockedSite);
    return edge;
  }

  /** Advances the process and assigns control: to it, if its edge keeps control and it is not blocked now. */
  #settle(run: Run, process: number, edge: Edge): void {
    const { state } = run;
    state.last = process;
    state.exclusive = -1;
    // sound: test/compile/cases/processes.test.ts
    if (dies(edge)) return;
    state.setLocation(process, edge.to);
    // sound: test/compile/cases/control.test.ts
    if (edge.keepsControl && this.#rules.canMove({ state, self: process, timeout: false }))
      state.exclusive = process;
  }

  #execute(run: Run, process: number, edge: Edge, answered: Offer | undefined): void {
    const scope = run.scope(process);
    run.recorder?.statement(run.state, process, edge);
    if (edge.communication?.kind === "send") this.#send(run, edge.communication, scope);
    else if (edge.communication) this.#receive(run, edge.communication, scope, answered);
    this.#effects(run, process, edge);
  }

  #send(run: Run, send: Send, scope: Scope): void {
    const { state, recorder } = run;
    const channel = this.#evaluator.channel(send.channel, scope, send.site);
    // sound: test/compile/faults.test.ts test/compile/cases/channels.test.ts
    if (isFull(state, channel)) return this.#lose(run, send, channel, scope);
    const message = this.#evaluator.message(send.message, channel, scope);
    this.#checkClaim(run, "send", channel, scope.self);
    recorder?.message(state, "send", channel, message, scope.self, undefined);
    if (send.sorted) insertSorted(state, channel, message);
    else append(state, channel, message);
  }

  /** As in Spin, the values of a lost message are evaluated only for display. */
  #lose(run: Run, send: Send, channel: ChannelRecord, scope: Scope): void {
    this.#checkClaim(run, "send", channel, scope.self);
    if (!run.recorder) return;
    try {
      const message = this.#evaluator.message(send.message, channel, scope);
      run.recorder.message(run.state, "lost", channel, message, scope.self, undefined);
    } catch (e) {
      siteOf(e);
    }
  }

  #receive(run: Run, receive: Receive, scope: Scope, answered: Offer | undefined): void {
    const { state, recorder } = run;
    const channel = this.#evaluator.channel(receive.channel, scope, receive.site);
    this.#checkClaim(run, "receive", channel, scope.self);
    if (answered) return this.#store(receive, answered.message, scope);
    const slot = this.#evaluator.findMessage(channel, receive.pattern, receive.random, scope);
    const message = messageAt(state, channel, slot);
    // sound: test/compile/cases/channels.test.ts
    if (!receive.keep) {
      recorder?.message(state, "receive", channel, message, undefined, scope.self);
      remove(state, channel, slot);
    }
    this.#store(receive, message, scope);
  }

  /** From left to right: a later target's index may depend on an earlier one. */
  #store(receive: Receive, message: Message, scope: Scope): void {
    for (const [i, p] of receive.pattern.entries())
      if (p.kind === "store") this.#evaluator.store(p.target, message[i]!, scope);
  }

  #effects(run: Run, process: number, edge: Edge): void {
    const scope = run.scope(process);
    for (const effect of edge.effects) this.#effect(run, effect, scope);
  }

  #effect(run: Run, effect: Effect, scope: Scope): void {
    switch (effect.kind) {
      case "assign":
        return this.#evaluator.store(effect.target, this.#evaluator.value(effect.value, scope), scope);
      case "assert":
        // sound: test/compile/cases/control.test.ts
        if (!this.#evaluator.holds(effect.condition, scope)) run.note(effect.site);
        return;
      case "print": {
        const values = effect.arguments.map((a) => this.#evaluator.value(a.value, scope));
        return run.recorder?.print(effect, values);
      }
      case "run":
        return this.#run(run, effect, scope);
      case "set-priority":
        return this.#setPriority(effect, scope);
      case "die":
        return scope.state.removeYoungest();
    }
  }

  #run(run: Run, effect: Create, scope: Scope): void {
    const values = effect.arguments.map((e) => this.#evaluator.value(e, scope));
    const priority = effect.priority
      ? this.#evaluator.value(effect.priority, scope)
      : this.#program.templates[effect.template]!.priority;
    const { maxProcesses } = this.#program.rules;
    // sound: test/compile/cases/limits.test.ts
    if (scope.state.processes.length >= maxProcesses) throw new Fault(effect.site);
    if (!this.#hasRoomFor(scope.state, effect.template)) throw new Fault(effect.channelSite);
    const process = this.#create(run, effect.template, values, priority);
    if (effect.target) this.#evaluator.store(effect.target, process, scope);
  }

  #hasRoomFor(state: State, template: number): boolean {
    const { maxProcesses, maxChannels } = this.#program.rules;
    const { initialisers } = this.#program.templates[template]!;
    const channels = initialisers.filter((i) => i.kind === "channel").length;
    // sound: test/compile/interpreter-processes.test.ts
    return state.processes.length < maxProcesses && state.channels.length + channels <= maxChannels;
  }

  #create(run: Run, template: number, values: readonly number[], priority: number): number {
    const { initial, initialisers, locals, claims } = this.#program.templates[template]!;
    const { state } = run;
    const firstChannel = state.channels.length;
    const self = state.addProcess(template);
    const scope = run.scope(self);
    state.setLocation(self, initial);
    state.setPriority(self, priority);
    for (const [variable, value] of values.entries()) {
      const { type } = locals[variable]!;
      if (type.kind !== "scalar") throw new Error("a parameter is a scalar");
      this.#evaluator.store({ scope: "local", variable, path: [], type }, value, scope);
    }
    this.#initialise(initialisers, scope, firstChannel);
    for (const claim of claims) this.#claim(run, claim, scope);
    return self;
  }

  #initialise(initialisers: readonly Initialiser[], scope: Scope, firstChannel: number): void {
    let channel = firstChannel;
    for (const init of initialisers)
      this.#evaluator.store(
        init.target,
        init.kind === "channel" ? ++channel : this.#evaluator.value(init.value, scope),
        scope,
      );
  }

  /** A second claim on a channel is a fault; the first stays, as in Spin. */
  #claim(run: Run, { access, channel: e, site }: Claim, scope: Scope): void {
    const { state, self } = scope;
    const channel = state.channels[this.#evaluator.value(e, scope) - 1];
    // sound: test/compile/cases/channels.test.ts
    if (!channel || this.#holder(access, channel, state) >= 0) return run.note(site);
    const slot = claimSlot(access, channel, state)!;
    writeScalar(state.words, 0, slot, self + 1, channel.header + slot.bit);
  }

  /** Faults if another process has claimed the channel; the step continues, as in Spin. */
  #checkClaim(run: Run, access: Access, channel: ChannelRecord, process: number): void {
    const { state } = run;
    const holder = this.#holder(access, channel, state);
    // sound: test/compile/cases/channels.test.ts test/compile/cases/handshakes.test.ts
    if (holder < 0 || holder === process) return;
    const { claims } = this.#program.templates[state.processes[holder]!.template]!;
    run.note(claims.find((c) => c.access === access)!.site);
  }

  /** The process that claimed the channel, -1 if none. */
  #holder(access: Access, channel: ChannelRecord, state: State): number {
    const slot = claimSlot(access, channel, state);
    return slot ? readScalar(state.words, 0, slot, channel.header + slot.bit) - 1 : -1;
  }

  /** As in Spin: no effect for a process that does not exist; a priority outside 1 … 255 is an error. */
  #setPriority(effect: Effect & { kind: "set-priority" }, scope: Scope): void {
    const process = this.#evaluator.value(effect.process, scope);
    const value = this.#evaluator.value(effect.value, scope);
    // sound: test/compile/cases/control.test.ts
    if (process < 0 || process >= scope.state.processes.length) return;
    // sound: test/compile/cases/control.test.ts
    if (value < 1 || value > 255) throw new Fault(effect.site);
    scope.state.setPriority(process, value);
  }
}

function claimSlot(access: Access, channel: ChannelRecord, state: State): ScalarSlot | undefined {
  const { receiver, sender } = state.layout.channelTypes[channel.type]!;
  return access === "receive" ? receiver : sender;
}

const dies = (edge: Edge): boolean => edge.effects.some((e) => e.kind === "die");

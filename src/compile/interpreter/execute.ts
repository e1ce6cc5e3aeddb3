/**
 * Executing: one edge, what an indivisible step adds to it, and the creation of processes.
 *
 * As in Spin, the location of a process and `_last` change when its statement (or whole indivisible step) is
 * over: while it runs, others still see where it started.
 */
import type { Communication, Edge, Effect, Initialiser, Program, Template } from "../../model/index.js";
import type { Layout, ScalarSlot } from "../layout.js";
import { readScalar, writeScalar } from "./bits.js";
import { append, insertSorted, isFull, messageAt, remove, type Message } from "./buffer.js";
import { Fault, type Evaluator, type Scope } from "./evaluate.js";
import type { Offer, Rules } from "./readiness.js";
import type { Recorder } from "./recorder.js";
import { State, type ChannelRecord } from "./state.js";

/** One step in the making. */
export interface Run {
  /** Built up in place. */
  readonly state: State;
  readonly timeout: boolean;
  /** The first assertion that failed, or -1. Other faults end the run and are thrown. */
  fault: number;
  readonly recorder: Recorder | undefined;
}

type Access = Template["claims"][number]["access"];
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

  initialState(layout: Layout): State {
    const state = State.blank(layout);
    const global: Scope = { state, self: -1, timeout: false };
    if (state.channels.length > this.#program.rules.maxChannels)
      throw new Error("too many channels at the start");
    this.#initialise(this.#program.initialisers, global, 0);
    for (const { template, arguments: args } of this.#program.instances) {
      if (!this.#hasRoomFor(state, template)) throw new Error("too many processes or channels at the start");
      const values = args.map((e) => this.#evaluator.value(e, global));
      this.#create(state, template, values, this.#program.templates[template]!.priority);
    }
    return state;
  }

  /** Takes a step of one process; whether it keeps control is settled too. */
  move(run: Run, process: number, edge: Edge): void {
    this.#settle(run, process, this.#transit(run, process, edge, undefined));
  }

  /** Both halves of a rendezvous. What the sender's edge says about control does not count, as in Spin. */
  handshake(run: Run, offer: Offer, receiver: number, edge: Edge): void {
    const { state, recorder } = run;
    recorder?.statement(state, offer.sender, offer.edge);
    this.#checkClaim("send", offer.channel, { state, self: offer.sender, timeout: run.timeout });
    this.#effects(run, offer.sender, offer.edge);
    state.setLocation(offer.sender, offer.edge.to);
    state.last = offer.sender;
    recorder?.message(state, "rendezvous", offer.channel, offer.message, offer.sender, receiver);
    this.#settle(run, receiver, this.#transit(run, receiver, edge, offer));
  }

  /**
   * Executes an edge and, when it leads into an indivisible step, on to the end of that. Returns the last edge
   * executed. `answered`: the other half of the rendezvous that the first edge is half of.
   */
  #transit(run: Run, process: number, first: Edge, answered: Offer | undefined): Edge {
    const { locations } = this.#program.templates[run.state.processes[process]!.template]!;
    let edge = first;
    this.#execute(run, process, edge, answered);
    while (locations[edge.to]!.inside === "step" && !dies(edge)) {
      edge = this.#firstReady(run, process, edge.to);
      this.#execute(run, process, edge, undefined);
    }
    return edge;
  }

  /** A rendezvous cannot happen inside an indivisible step, so an offer is not executable there. */
  #firstReady(run: Run, process: number, at: number): Edge {
    const { locations } = this.#program.templates[run.state.processes[process]!.template]!;
    const location = locations[at]!;
    const scope = { state: run.state, self: process, timeout: run.timeout };
    const edge = location.edges.find((e) => this.#rules.readiness(e, scope, false).kind === "ready");
    if (!edge) throw new Fault(location.blockedSite);
    return edge;
  }

  /** Moves the process on and decides who has control: it, if its edge says so and it is not blocked now. */
  #settle(run: Run, process: number, edge: Edge): void {
    const { state } = run;
    state.last = process;
    state.exclusive = -1;
    if (dies(edge)) return;
    state.setLocation(process, edge.to);
    if (edge.keepsControl && this.#rules.canMove({ state, self: process, timeout: false }))
      state.exclusive = process;
  }

  #execute(run: Run, process: number, edge: Edge, answered: Offer | undefined): void {
    const scope = { state: run.state, self: process, timeout: run.timeout };
    run.recorder?.statement(run.state, process, edge);
    if (edge.communication?.kind === "send") this.#send(run, edge.communication, scope);
    else if (edge.communication) this.#receive(run, edge.communication, scope, answered);
    this.#effects(run, process, edge);
  }

  #send(run: Run, send: Send, scope: Scope): void {
    const { state, recorder } = run;
    const channel = this.#evaluator.channel(send.channel, scope, send.site);
    this.#checkClaim("send", channel, scope);
    const isLost = isFull(state, channel);
    // As in Spin, the values of a message that is lost are never looked at, except to show them.
    if (isLost && !recorder) return;
    const message = this.#evaluator.message(send.message, channel, scope);
    recorder?.message(state, isLost ? "lost" : "send", channel, message, scope.self, undefined);
    if (isLost) return;
    if (send.sorted) insertSorted(state, channel, message);
    else append(state, channel, message);
  }

  #receive(run: Run, receive: Receive, scope: Scope, answered: Offer | undefined): void {
    const { state, recorder } = run;
    const channel = this.#evaluator.channel(receive.channel, scope, receive.site);
    this.#checkClaim("receive", channel, scope);
    if (answered) return this.#store(receive, answered.message, scope);
    const slot = this.#evaluator.findMessage(channel, receive.pattern, receive.random, scope);
    const message = messageAt(state, channel, slot);
    if (!receive.keep) {
      recorder?.message(state, "receive", channel, message, undefined, scope.self);
      remove(state, channel, slot);
    }
    this.#store(receive, message, scope);
  }

  /** From left to right: the index of a later target may depend on an earlier one. */
  #store(receive: Receive, message: Message, scope: Scope): void {
    for (const [i, p] of receive.pattern.entries())
      if (p.kind === "store") this.#evaluator.store(p.target, message[i]!, scope);
  }

  #effects(run: Run, process: number, edge: Edge): void {
    const scope = { state: run.state, self: process, timeout: run.timeout };
    for (const effect of edge.effects) this.#effect(run, effect, scope);
  }

  #effect(run: Run, effect: Effect, scope: Scope): void {
    switch (effect.kind) {
      case "assign":
        return this.#evaluator.store(effect.target, this.#evaluator.value(effect.value, scope), scope);
      case "assert":
        if (!this.#evaluator.holds(effect.condition, scope) && run.fault < 0) run.fault = effect.site;
        return;
      case "print": {
        const values = effect.arguments.map((a) => this.#evaluator.value(a.value, scope));
        return run.recorder?.print(effect, values);
      }
      case "run":
        return this.#run(effect, scope);
      case "set-priority":
        return this.#setPriority(effect, scope);
      case "die":
        return scope.state.removeYoungest();
    }
  }

  #run(effect: Create, scope: Scope): void {
    const values = effect.arguments.map((e) => this.#evaluator.value(e, scope));
    const priority = effect.priority
      ? this.#evaluator.value(effect.priority, scope)
      : this.#program.templates[effect.template]!.priority;
    if (!this.#hasRoomFor(scope.state, effect.template)) throw new Fault(effect.site);
    const process = this.#create(scope.state, effect.template, values, priority);
    if (effect.target) this.#evaluator.store(effect.target, process, scope);
  }

  #hasRoomFor(state: State, template: number): boolean {
    const { maxProcesses, maxChannels } = this.#program.rules;
    const channels = state.layout.templates[template]!.channels.length;
    return state.processes.length < maxProcesses && state.channels.length + channels <= maxChannels;
  }

  #create(state: State, template: number, values: readonly number[], priority: number): number {
    const { initial, initialisers, locals, claims } = this.#program.templates[template]!;
    const firstChannel = state.channels.length;
    const self = state.addProcess(template);
    const scope: Scope = { state, self, timeout: false };
    state.setLocation(self, initial);
    state.setPriority(self, priority);
    for (const [variable, value] of values.entries()) {
      const { type } = locals[variable]!;
      if (type.kind !== "scalar") throw new Error("a parameter is a scalar");
      this.#evaluator.store({ scope: "local", variable, path: [], type }, value, scope);
    }
    this.#initialise(initialisers, scope, firstChannel);
    for (const { access, channel, site } of claims)
      this.#claim(access, this.#evaluator.channel(channel, scope, site), scope, site);
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

  #claim(access: Access, channel: ChannelRecord, scope: Scope, site: number): void {
    const holder = this.#holder(access, channel, scope.state);
    if (holder >= 0 && holder !== scope.self) throw new Fault(site);
    writeScalar(scope.state.words, channel.word, claimSlot(access, channel, scope.state)!, scope.self + 1);
  }

  /** Where another process holds the channel for itself, its claim is what is wrong. */
  #checkClaim(access: Access, channel: ChannelRecord, { state, self }: Scope): void {
    const holder = this.#holder(access, channel, state);
    if (holder < 0 || holder === self) return;
    const { claims } = this.#program.templates[state.processes[holder]!.template]!;
    throw new Fault(claims.find((c) => c.access === access)!.site);
  }

  /** The process that claimed the channel, -1 if none. */
  #holder(access: Access, channel: ChannelRecord, state: State): number {
    const slot = claimSlot(access, channel, state);
    return slot ? readScalar(state.words, channel.word, slot) - 1 : -1;
  }

  /** As in Spin: of a process that does not exist it is nothing, out of 1 … 255 it is an error. */
  #setPriority(effect: Effect & { kind: "set-priority" }, scope: Scope): void {
    const process = this.#evaluator.value(effect.process, scope);
    const value = this.#evaluator.value(effect.value, scope);
    if (process < 0 || process >= scope.state.processes.length) return;
    if (value < 1 || value > 255) throw new Fault(effect.site);
    scope.state.setPriority(process, value);
  }
}

function claimSlot(access: Access, channel: ChannelRecord, state: State): ScalarSlot | undefined {
  const { receiver, sender } = state.layout.channelTypes[channel.type]!;
  return access === "receive" ? receiver : sender;
}

const dies = (edge: Edge): boolean => edge.effects.some((e) => e.kind === "die");

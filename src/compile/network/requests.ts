/** Requests of switches to the controller, its replies, and their execution. */
import type { Words } from "../../model/index.js";
import type { NetworkAction, Reaction } from "../../model/network.js";
import type { Effect } from "./delivery.js";
import { Memo } from "./memo.js";
import type { Reply } from "./symbols.js";
import {
  CONTROL,
  CONTROL_QUEUE,
  FAILED,
  MODE,
  type CommandLists,
  type Sink,
  type StateParts,
} from "./state-parts.js";

export class Requests {
  readonly #parts: StateParts;
  readonly #reactions = new Memo<Prepared>();

  constructor(parts: StateParts) {
    this.#parts = parts;
  }

  ask(index: number, packet: number, state: Words, at: number, sink: Sink): void {
    if (this.#parts.config.mergesRequests) return this.answer(index, packet, state, at, sink, true);
    if (this.#requests(state, at) >= this.#parts.network.controller.kappa) return; // sound: test/transforms/network/quick.test.ts
    sink.begin();
    this.#parts.take(sink, index, packet);
    sink.words[sink.at + this.#parts.switchAt(index) + MODE] = packet * 2 + 1;
    sink.end(this.#packetInFaults(index, packet, state[at + CONTROL]!), () => [this.#nomatch(index, packet)]);
  }

  answer(index: number, packet: number, state: Words, at: number, sink: Sink, isMerged = false): void {
    const control = state[at + CONTROL]!;
    const prepared = this.#reactions.get(packet, control, index, () => this.#react(index, packet, control));
    const before = isMerged ? [this.#nomatch(index, packet)] : [];
    const actions = (): NetworkAction[] => [...before, this.#controlAction(index, packet, prepared.reaction)];
    const faults = isMerged ? prepared.requestFaults : [];
    // sound: test/transforms/network/quick.test.ts
    if (prepared.reaction.error !== undefined) {
      for (const site of faults) sink.fail(site, actions);
      return sink.fail(this.#parts.network.properties.length + prepared.reaction.error, actions);
    }
    const sent = this.#parts.config.repliesAtOnce
      ? this.#parts.deliveries.send(
          index,
          packet,
          prepared.reaction.ports,
          state[at + FAILED]!,
          control,
          true,
        )
      : undefined;
    this.#parts.eachInstallation(prepared.lists, state, at, (installed) => {
      const put = (mode: number): void => {
        sink.begin();
        if (isMerged) this.#parts.take(sink, index, packet); // sound: test/transforms/network/quick.test.ts
        sink.words[sink.at + CONTROL] = prepared.next;
        this.#parts.putAll(sink, installed);
        sink.words[sink.at + this.#parts.switchAt(index) + MODE] = mode;
      };
      const barriers = (): NetworkAction[] => this.#parts.barrierActions(installed);
      if (!sent) {
        const own = installed.find(([at_]) => at_ === index)?.[1].queue;
        const queue = own ?? state[at + this.#parts.switchAt(index) + CONTROL_QUEUE]!;
        const behind = this.#parts.isOpenFlow ? this.#parts.control.barriers(queue) - prepared.later : 0; // sound: test/compile/network/errors.test.ts test/compile/network/barriers.test.ts
        put(this.#modeOf({ ...prepared.reply, behind }));
        sink.end(faults, () => [...actions(), ...barriers()]);
        return;
      }
      for (const effect of sent) {
        put(0);
        this.#parts.apply(sink, effect);
        sink.end([...faults, ...prepared.faults, ...effect.faults], () => [
          ...actions(),
          ...barriers(),
          this.#forwardAction(index, packet, prepared.reaction.ports, effect),
          ...effect.actions,
        ]);
      }
    });
  }

  /** Does the switch hold a reply with no barrier before it? */
  isReady(mode: number): boolean {
    return mode !== 0 && (mode & 1) === 0 && this.#parts.symbols.replyAt((mode >> 1) - 1).behind === 0; // sound: test/compile/network/barriers.test.ts test/transforms/network/quick.test.ts
  }

  /** The mode after the switch has processed a barrier. */
  afterBarrier(mode: number): number {
    if (mode === 0 || (mode & 1) === 1) return mode;
    const reply = this.#parts.symbols.replyAt((mode >> 1) - 1);
    return this.#modeOf({ ...reply, behind: Math.max(0, reply.behind - 1) });
  }

  #modeOf(reply: Reply): number {
    return (this.#parts.symbols.reply(reply) + 1) * 2;
  }

  carryOut(index: number, number: number, state: Words, at: number, sink: Sink): void {
    const { packet, ports, faults } = this.#parts.symbols.replyAt(number);
    const sent = this.#parts.deliveries.send(
      index,
      packet,
      ports,
      state[at + FAILED]!,
      state[at + CONTROL]!,
      true,
    );
    for (const effect of sent) {
      sink.begin();
      sink.words[sink.at + this.#parts.switchAt(index) + MODE] = 0;
      this.#parts.apply(sink, effect);
      sink.end([...faults, ...effect.faults], () => [
        this.#forwardAction(index, packet, ports, effect),
        ...effect.actions,
      ]);
    }
  }

  #packetInFaults(index: number, packet: number, control: number): number[] {
    const { port, data } = this.#parts.symbols.packetAt(packet);
    return this.#parts.deliveries.faultsOf("packetIn", data, { kind: "switch", index, port }, control);
  }

  #requests(state: Words, at: number): number {
    let requests = 0;
    for (let index = 0; index < this.#parts.network.switches.length; index++)
      if ((state[at + this.#parts.switchAt(index) + MODE]! & 1) === 1) requests++; // sound: test/transforms/network/quick.test.ts
    return requests;
  }

  #react(index: number, packet: number, control: number): Prepared {
    const { port, data } = this.#parts.symbols.packetAt(packet);
    const reaction = this.#parts.network.controller.packetIn(
      data,
      index,
      port,
      this.#parts.symbols.controls[control],
    );
    const faults = this.#parts.deliveries.decisionFaults(index, packet, reaction.ports, control);
    return {
      reaction,
      faults,
      requestFaults: this.#packetInFaults(index, packet, control),
      next: this.#parts.symbols.control(reaction.state),
      lists: this.#parts.listsOf(reaction.commands),
      reply: { packet, ports: reaction.ports, faults },
      later: barriersBehind(reaction, index),
    };
  }

  #nomatch(index: number, packet: number): NetworkAction {
    const { port, data } = this.#parts.symbols.packetAt(packet);
    return { kind: "nomatch", switch: index, packet: data, port };
  }

  #controlAction(index: number, packet: number, { commands, ports }: Reaction): NetworkAction {
    const { port, data } = this.#parts.symbols.packetAt(packet);
    return { kind: "control", switch: index, packet: data, port, commands, ports };
  }

  #forwardAction(index: number, packet: number, ports: readonly number[], { copies }: Effect): NetworkAction {
    const { port, data } = this.#parts.symbols.packetAt(packet);
    return { kind: "forward", switch: index, packet: data, port, ports, copies };
  }
}

/** A reaction with all its parts interned. */
interface Prepared {
  readonly reaction: Reaction;
  /** Faults of the decision, and of the request itself. */
  readonly faults: readonly number[];
  readonly requestFaults: readonly number[];
  readonly next: number;
  readonly lists: CommandLists;
  readonly reply: Omit<Reply, "behind">;
  /** Barriers to the switch that are sent after the reply. */
  readonly later: number;
}

const barriersBehind = ({ commands, repliesAfter = commands.length }: Reaction, index: number): number =>
  commands.slice(repliesAfter).filter(({ kind, switch: at }) => kind === "barrier" && at === index).length; // sound: test/compile/network/barriers.test.ts

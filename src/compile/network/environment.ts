/** The environment: clients that send and receive, events, links that fail. */
import type { Words } from "../../model/index.js";
import type { NetworkAction, Outcome } from "../../model/network.js";
import { Bags } from "./bags.js";
import { Memo } from "./memo.js";
import { CONTROL, FAILED, type CommandLists, type Sink, type StateParts } from "./state-parts.js";

export class Environment {
  readonly #parts: StateParts;
  readonly #sent: Bags;
  readonly #sends: readonly { readonly client: number; readonly symbol: number; readonly at: number }[];
  readonly #receptions = new Memo<readonly PreparedOutcome[]>();
  readonly #replies = new Memo<readonly PreparedOutcome[]>();
  readonly #events: (readonly PreparedOutcome[])[] = [];

  constructor(parts: StateParts) {
    this.#parts = parts;
    this.#sent = new Bags(Infinity, (a, b) => a - b, parts.numbers);
    this.#sends = parts.network.clients.flatMap(({ sends }, client) =>
      sends.map(({ switch: at, port, data }) => ({ client, at, symbol: parts.symbols.packet(port, data) })),
    );
  }

  /** Puts every packet that clients can send into the queues. */
  preload(words: Words, at: number): void {
    for (const { at: entry, symbol } of this.#sends)
      this.#parts.arrive(words, at, entry, this.#parts.deliveries.packets.single(symbol));
  }

  happen(state: Words, at: number, sink: Sink): void {
    for (const outcome of this.#happenings(state[at + CONTROL]!)) this.#outcome(outcome, state, at, sink);
  }

  /** The controller receives replies from switches that have processed barriers. */
  replyAll(state: Words, at: number, sink: Sink): void {
    const { repliesAt, replies, network, symbols } = this.#parts;
    if (repliesAt < 0) return;
    const control = state[at + CONTROL]!;
    for (const index of replies.symbols(state[at + repliesAt]!)) {
      const outcomes = this.#replies.get(index, control, 0, () =>
        network.controller.barrierReply!.run(index, symbols.controls[control]).map((outcome, number) => {
          const { label, commands, emits } = outcome;
          return this.#prepared(outcome, {
            kind: "barrierReply",
            switch: index,
            outcome: number,
            label,
            commands,
            emits,
          });
        }),
      );
      for (const outcome of outcomes)
        this.#outcome(outcome, state, at, sink, () => {
          const word = sink.at + repliesAt;
          sink.words[word] = replies.take(sink.words[word]!, index);
        });
    }
  }

  /** Returns the number of steps. */
  receiveAll(state: Words, at: number, sink: Sink, deferredToo: boolean): number {
    let steps = 0;
    this.#parts.network.clients.forEach(({ receive }, client) => {
      const isDeferred = receive?.touchesController === true;
      if (isDeferred && !deferredToo) return;
      const queue = state[at + this.#parts.clientAt(client)]!;
      const waiting = this.#parts.config.keepsLastOnly
        ? queue === 0
          ? []
          : [queue - 1]
        : this.#parts.deliveries.packets.symbols(queue);
      for (const packet of waiting) {
        steps++;
        this.#receive(client, packet, state, at, sink);
      }
    });
    return steps;
  }

  #receive(client: number, packet: number, state: Words, at: number, sink: Sink): void {
    const control = state[at + CONTROL]!;
    const outcomes = this.#receptions.get(client, packet, control, () =>
      this.#reception(client, packet, control),
    );
    for (const outcome of outcomes)
      this.#outcome(outcome, state, at, sink, () => {
        const word = sink.at + this.#parts.clientAt(client);
        sink.words[word] = this.#parts.config.keepsLastOnly
          ? 0
          : this.#parts.deliveries.packets.take(sink.words[word]!, packet);
      });
  }

  #reception(client: number, packet: number, control: number): readonly PreparedOutcome[] {
    const { port, data } = this.#parts.symbols.packetAt(packet);
    const state = this.#parts.symbols.controls[control];
    const none: Outcome = { label: "", emits: [], commands: [], state, error: undefined };
    const outcomes = this.#parts.network.clients[client]!.receive?.run(data, port, state) ?? [none];
    return outcomes.map((outcome, number) => {
      const emits = outcome.emits.map((e) => ({ ...e, data: this.#parts.deliveries.emitted(data, e.data) }));
      const { label } = outcome;
      return this.#prepared(
        { ...outcome, emits },
        { kind: "receive", client, port, packet: data, outcome: number, label, emits },
      );
    });
  }

  /** Outcomes of the environment when the controller is in that state. */
  #happenings(control: number): readonly PreparedOutcome[] {
    return (this.#events[control] ??= this.#parts.network.events.flatMap(({ run }, event) =>
      run(this.#parts.symbols.controls[control]).map((outcome, number) => {
        const { label, commands, emits } = outcome;
        return this.#prepared(outcome, { kind: "event", event, outcome: number, label, commands, emits });
      }),
    ));
  }

  #prepared(outcome: Outcome, action: NetworkAction): PreparedOutcome {
    return {
      action,
      error: outcome.error,
      next: this.#parts.symbols.control(outcome.state),
      lists: this.#parts.listsOf(outcome.commands),
      arrivals: outcome.emits.map(
        ({ switch: to, port, data }) =>
          [to, this.#parts.deliveries.packets.single(this.#parts.symbols.packet(port, data))] as const,
      ),
    };
  }

  #outcome(outcome: PreparedOutcome, state: Words, at: number, sink: Sink, change?: () => void): void {
    // sound: test/compile/network/errors.test.ts
    if (outcome.error !== undefined)
      return sink.fail(this.#parts.network.properties.length + outcome.error, () => [outcome.action]);
    this.#parts.eachInstallation(outcome.lists, state, at, (installed) => {
      sink.begin();
      change?.();
      sink.words[sink.at + CONTROL] = outcome.next;
      this.#parts.putAll(sink, installed);
      for (const [to, bag] of outcome.arrivals) this.#parts.arrive(sink.words, sink.at, to, bag);
      sink.end([], () => [outcome.action, ...this.#parts.barrierActions(installed)]);
    });
  }

  failLinks(state: Words, at: number, sink: Sink): void {
    const failed = state[at + FAILED]!;
    this.#parts.network.links.forEach(({ mayFail }, link) => {
      if (!mayFail || this.#parts.deliveries.failures.has(failed, link)) return; // sound: test/compile/network/errors.test.ts
      this.#outcome(this.#failure(link, state[at + CONTROL]!), state, at, sink, () => {
        sink.words[sink.at + FAILED] = this.#parts.deliveries.failures.add(failed, link);
      });
    });
  }

  /** The controller is notified of both ends at once. */
  #failure(link: number, control: number): PreparedOutcome {
    const { links, controller } = this.#parts.network;
    const state = this.#parts.symbols.controls[control];
    let told: Outcome = { label: "", emits: [], commands: [], state, error: undefined };
    for (const { kind, index, port } of links[link]!.ends) {
      if (kind !== "switch" || !controller.portDown || told.error !== undefined) continue;
      const { commands, state: next, error } = controller.portDown(index, port, told.state);
      told = { ...told, commands: [...told.commands, ...commands], state: next, error };
    }
    return this.#prepared(told, { kind: "fail", link });
  }

  sendAll(state: Words, at: number, sink: Sink): void {
    const sent = state[at + this.#parts.sentAt]!;
    this.#sends.forEach(({ client, at: entry, symbol }, number) => {
      if (
        this.#parts.config.sendLimit !== Infinity &&
        this.#timesSent(sent, number) >= this.#parts.config.sendLimit
      )
        return;
      sink.begin();
      this.#parts.arrive(sink.words, sink.at, entry, this.#parts.deliveries.packets.single(symbol));
      if (this.#parts.config.sendLimit !== Infinity)
        sink.words[sink.at + this.#parts.sentAt] = this.#sent.add(sent, number);
      const { port, data } = this.#parts.symbols.packetAt(symbol);
      sink.end([], () => [{ kind: "send", client, arrival: { switch: entry, port, data } }]);
    });
  }

  #timesSent(sent: number, number: number): number {
    const position = this.#sent.symbols(sent).indexOf(number);
    return position < 0 ? 0 : this.#sent.counts(sent)[position]!;
  }
}

/** An outcome with everything in it interned. */
interface PreparedOutcome {
  readonly action: NetworkAction;
  readonly error: number | undefined;
  readonly next: number;
  readonly lists: CommandLists;
  readonly arrivals: readonly (readonly [at: number, bag: number])[];
}

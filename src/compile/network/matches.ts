/** Packets that match a rule of the table: one at a time, or all of a switch in one step. */
import type { Words } from "../../model/index.js";
import { nothing, type Effect } from "./delivery.js";
import { Memo } from "./memo.js";
import { CONTROL, FAILED, MOST_FAILURES, type Sink, type StateParts } from "./state-parts.js";

export class Matches {
  readonly #parts: StateParts;
  readonly #oneShots: Memo<readonly Effect[]>[] = [];
  readonly #uses: Memo<readonly Effect[]>[] = [];

  constructor(parts: StateParts) {
    this.#parts = parts;
  }

  match(index: number, packet: number, best: readonly number[], state: Words, at: number, sink: Sink): void {
    for (const rule of best)
      for (const effect of this.using(index, packet, rule, best.length > 1, state, at)) {
        sink.begin();
        this.#parts.take(sink, index, packet);
        this.#parts.apply(sink, effect);
        sink.end(effect.faults, () => effect.actions);
      }
  }

  matchAll(index: number, packets: number, table: number, state: Words, at: number, sink: Sink): void {
    const control = this.#parts.deliveries.dependsOnControl ? state[at + CONTROL]! : 0;
    const memo = (this.#oneShots[control] ??= new Memo());
    const effects = memo.get(packets, table, index * MOST_FAILURES + state[at + FAILED]!, () =>
      this.#oneShot(index, packets, table, state, at),
    );
    for (const effect of effects) {
      sink.begin();
      this.#parts.apply(sink, effect);
      sink.end(effect.faults, () => effect.actions);
    }
  }

  /** The rule is applied to the packet. */
  using(
    index: number,
    packet: number,
    rule: number,
    isAmbiguous: boolean,
    state: Words,
    at: number,
  ): readonly Effect[] {
    const control = state[at + CONTROL]!;
    const memo = (this.#uses[this.#parts.deliveries.dependsOnControl ? control : 0] ??= new Memo());
    const key = (index * MOST_FAILURES + state[at + FAILED]!) * 2 + (isAmbiguous ? 1 : 0);
    return memo.get(packet, rule, key, () => this.#use(index, packet, rule, isAmbiguous, state, at));
  }

  #use(
    index: number,
    packet: number,
    rule: number,
    isAmbiguous: boolean,
    state: Words,
    at: number,
  ): readonly Effect[] {
    const control = state[at + CONTROL]!;
    const { ports } = this.#parts.symbols.ruleAt(rule);
    const sent = this.#parts.deliveries.send(index, packet, ports, state[at + FAILED]!, control, false);
    const { port, data } = this.#parts.symbols.packetAt(packet);
    const place = { kind: "switch", index, port } as const;
    const extra = isAmbiguous ? this.#parts.deliveries.faultsOf("ambiguous", data, place, control) : []; // sound: test/compile/network/errors.test.ts
    return sent.map((effect) => ({
      ...effect,
      faults: [...effect.faults, ...extra],
      actions: [
        {
          kind: "match",
          switch: index,
          packet: data,
          port,
          rule: this.#parts.symbols.ruleAt(rule),
          copies: effect.copies,
        },
        ...effect.actions,
      ],
    }));
  }

  /** Every packet that some rule matches, in turn, possibly including packets that come back. */
  #oneShot(index: number, packets: number, table: number, state: Words, at: number): readonly Effect[] {
    const isMatched = (packet: number): boolean => this.#parts.control.best(table, packet).length > 0;
    const isTransitive = this.#parts.config.oneShot === "transitive";
    const finish = (todo: readonly number[], next: number, soFar: Effect): readonly Effect[] => {
      if (next === todo.length) return [soFar];
      const packet = todo[next]!;
      const best = this.#parts.control.best(table, packet);
      return best
        .flatMap((rule) => this.using(index, packet, rule, best.length > 1, state, at))
        .flatMap((effect) => {
          const back = effect.arrivals.find(([to]) => to === index)?.[1] ?? 0;
          const more = isTransitive
            ? this.#parts.deliveries.packets.symbols(back).filter((p) => isMatched(p) && !todo.includes(p))
            : [];
          return finish([...todo, ...more], next + 1, this.#parts.deliveries.join(soFar, effect));
        });
    };
    const matched = this.#parts.deliveries.packets.symbols(packets).filter(isMatched);
    return matched.length === 0 ? [] : finish(matched, 0, nothing); // sound: test/transforms/network/quick.test.ts test/transforms/network/random.test.ts
  }
}

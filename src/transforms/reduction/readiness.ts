/**
 * Locations where others can observe a process's readiness for a rendezvous.
 *
 * To send on a rendezvous channel a process needs a partner at a receive. The sender can observe its absence where it has an
 * alternative: at `else`, at an escape, or in the middle of an atomic sequence, where blocking gives control away. There a
 * step of the partner to or from the receive is no longer local.
 */
import type { Edge, Program, Template } from "../../model/index.js";
import { goesOn } from "../../model/program-walk.js";
import { ChannelFlow, mayMeet, type ChannelSet } from "./channels.js";
import { singletons } from "./instances.js";
import { nth } from "../../model/known.js";

export class Readiness {
  readonly #program: Program;
  readonly #flow: ChannelFlow;
  readonly #isSingle: readonly boolean[];
  readonly #offers: readonly { readonly template: number; readonly channels: ChannelSet }[];

  constructor(program: Program) {
    this.#program = program;
    this.#isSingle = singletons(program);
    this.#flow = new ChannelFlow(program, this.#isSingle);
    this.#offers = program.templates.flatMap((t, template) => {
      const shows = showsBlocking(t);
      const sharp = t.locations.filter((_, l) => shows[l]);
      const sends = sharp.flatMap((l) => l.edges.flatMap((e) => this.#channels(e, template, "send")));
      return sends.map((channels) => ({ template, channels }));
    });
  }

  /** Can another process observe that one of template `t` is at that location? */
  isSeen(t: number, location: number): boolean {
    if (this.#offers.length === 0) return false;
    const receives = nth(nth(this.#program.templates, t).locations, location).edges.flatMap((e) =>
      this.#channels(e, t, "receive"),
    );
    return this.#offers.some(
      ({ template, channels }) =>
        !(template === t && this.#isSingle[t]) && receives.some((r) => mayMeet(r, channels)), // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    );
  }

  /** The rendezvous channels that the edge may send to (receive from). */
  #channels({ communication: c }: Edge, template: number, kind: "send" | "receive"): ChannelSet[] {
    return c?.kind === kind ? [this.#flow.rendezvous(c.channel, template)] : [];
  }
}

/** By location: does being stuck on a communication there show? By `else`, an escape, or the loss of control. */
export function showsBlocking(template: Template): boolean[] {
  const inner = new Set(
    template.locations.flatMap((l) => l.edges.filter((e) => goesOn(template, e))).map((e) => e.to),
  );
  return template.locations.map(
    ({ edges }, l) => inner.has(l) || edges.some((e) => e.guard.kind === "else" || e.escapeGroup !== 0), // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  );
}

/** Synchronous sends and receives: one process offers a message, every other one may take it. */
import type { Communication, Edge, Location } from "../../model/index.js";
import type { Emitter } from "./expressions.js";
import { Unsupported } from "./unsupported.js";
import type { Channel } from "./channels.js";
import { claim, guarded } from "./guards.js";
import { mask, sum, truncated, type Scope } from "./scope.js";
import type { Taking } from "./taking.js";
import { block, entryOf, sourceOf, type Unit } from "./unit.js";

export class Rendezvous {
  readonly #em: Emitter;
  readonly #taking: Taking;

  constructor(em: Emitter, taking: Taking) {
    this.#em = em;
    this.#taking = taking;
  }

  /** A rendezvous send: the message is offered to every other process. */
  offer(
    unit: Unit,
    edge: Edge,
    c: Communication & { kind: "send" },
    k: number,
    id: string,
    scope: Scope,
    location: Location,
  ): string {
    if (scope.array === "w") return "";
    const em = this.#em;
    if (edge.effects.length > 0) throw new Unsupported("a rendezvous send with effects");
    // The step could not continue at once, because the receiver moves first.
    const target = this.#taking.template(unit).locations[edge.to]!;
    // sound: test/compile/cases/handshakes.test.ts
    if (target.inside === "step") return `${em.bad(target.blockedSite)}; failHere();`;
    const { fields } = em.shapes.shapes[k]!;
    const values = fields.map(({ declared }, i) => {
      const value = em.value(c.message[i]!, scope);
      return `m${i} = ${truncated(value, declared.bits, declared.signed)};`;
    });
    // sound: test/compile/cases/handshakes.test.ts
    const check = em.takeFaultFlag() ? "if (fault !== 0) failHere(); else " : "";
    const sent = em.temporary();
    // The receiver's step writes these to move the sender.
    const { bit, bits, base } = unit.record.location;
    const to = [mask(bits), edge.to - base].map((raw) => raw << (bit & 31));
    const arrival = `arrivalWord = ${sum(unit.base, bit >> 5)}; arrivalMask = ${to[0]}; arrival = ${to[1]};`;
    return [
      ...values,
      `${sent} = n; offeredOn = ${id}; sender = ${unit.pid}; ${arrival}`,
      `${check}meetAll();`,
      `if (n !== ${sent}) { ${this.#taking.coverage(unit, location, edge)} }`,
    ].join("\n");
  }

  /** A receive that takes the offered message. */
  accept(unit: Unit, location: Location, edge: Edge): string {
    const em = this.#em;
    const scope = sourceOf(unit);
    const target = entryOf(unit);
    const c = edge.communication as Communication & { kind: "receive" };
    const q = em.shapes.resolve(em, c.channel, scope);
    const same = this.#isOffered(q, em.takeFaultFlag());
    const tooLong = this.#tooLongFor(q.shapes, c, same);
    // sound: test/compile/cases/handshakes.test.ts
    if (tooLong.isAlways) return tooLong.text;
    const tests = [
      same,
      ...(c.random ? em.computed(c.pattern, scope) : []), // sound: test/compile/cases/handshakes.test.ts
      ...em.matches(c.pattern, scope, (f) => `m${f}`),
    ];
    const canFault = em.takeFaultFlag();
    const body = [
      "fork();",
      "w[o + arrivalWord] = w[o + arrivalWord] & ~arrivalMask | arrival;",
      this.#meetingClaims(unit),
      ...c.pattern.flatMap((p, f) =>
        p.kind === "store" ? [em.places.store(p.target, `m${f}`, target)] : [],
      ),
      this.#taking.effects(unit, edge),
      this.#taking.arrive(unit, edge),
      this.#taking.coverage(unit, location, edge),
      this.#taking.agents("sender", unit.pid),
      this.#taking.finish(unit, edge),
    ].join("\n");
    const test = tests.join(" && ");
    const taken = this.#unlessTooShort(q.shapes, c, body);
    // sound: test/compile/cases/handshakes.test.ts
    const take = canFault ? guarded(this.#em, test, scope, taken) : block(`if (${test})`, taken);
    return `${this.#taking.comment(edge)}${tooLong.text}{\n${take}\n}`;
  }

  /** Is the message offered on that channel? No if the expression denotes none: the fault belongs to the receive's step. */
  #isOffered({ setup, id }: Channel, canFault: boolean): string {
    // sound: test/compile/cases/handshakes.test.ts
    if (setup === "") return `${id} === offeredOn`;
    // sound: test/compile/cases/handshakes.test.ts
    if (!canFault) return `(${setup}, ${id} === offeredOn)`;
    const t = this.#em.temporary();
    // sound: test/compile/cases/handshakes.test.ts
    return `(${setup}, ${t} = fault, fault = 0, ${t} === 0 && ${id} === offeredOn)`;
  }

  /** A receive with more fields than the offered message is a fault. */
  #tooLongFor(
    shapes: readonly number[],
    c: Communication,
    same: string,
  ): { text: string; isAlways: boolean } {
    // sound: test/compile/cases/handshakes.test.ts
    const met = shapes.filter((k) => this.#em.shapes.shapes[k]!.capacity === 0);
    // sound: test/compile/cases/handshakes.test.ts
    const short = met.filter((k) => this.#em.shapes.shapes[k]!.fields.length < arityOf(c));
    if (short.length === 0) return { text: "", isAlways: false };
    const isShort = short.map((k) => `QS[offeredOn] === ${k}`).join(" || ");
    const text = `if (${same} && (${isShort})) { ${this.#em.bad(c.messageSite)}; failHere(); }`;
    return short.length === met.length
      ? { text, isAlways: true }
      : { text: `${text}\nelse `, isAlways: false };
  }

  /** A receive that would take the offered message with too few fields is a fault. */
  #unlessTooShort(shapes: readonly number[], c: Communication, body: string): string {
    // sound: test/compile/cases/arities.test.ts
    const long = shapes.filter((k) => {
      const { capacity, fields } = this.#em.shapes.shapes[k]!;
      return capacity === 0 && fields.length > arityOf(c);
    });
    if (long.length === 0) return body;
    const isLong = long.map((k) => `QS[offeredOn] === ${k}`).join(" || ");
    return `if (${isLong}) { ${this.#em.bad(c.messageSite)}; failHere(); }\nelse {\n${body}\n}`;
  }

  /** Can this communication be half of a rendezvous? */
  mayMeet(c: Communication | undefined, kind: Communication["kind"]): boolean {
    const { shapes } = this.#em;
    // sound: test/compile/cases/handshakes.test.ts
    if (c?.kind !== kind || (c.kind === "receive" && c.keep)) return false;
    return shapes.possible(c.channel).some((k) => shapes.shapes[k]!.capacity === 0);
  }

  /** Both halves of a rendezvous must respect claims on the channel. Rendezvous shapes have their claims at the same position. */
  #meetingClaims(unit: Unit): string {
    const { shapes } = this.#em.shapes;
    const k = shapes.findIndex((s) => s.capacity === 0);
    const q = { header: { word: "QH[offeredOn]", shift: "QHB[offeredOn]" } };
    return `${claim(this.#em, "sender", k, q, "send")}${claim(this.#em, unit.pid, k, q, "receive")}`;
  }
}

export const arityOf = (c: Communication): number =>
  c.kind === "send" ? c.message.length : c.pattern.length;

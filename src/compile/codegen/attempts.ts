/** Tests whether an edge is executable, and emits its communication. */
import type { Communication, Edge, Location } from "../../model/index.js";
import type { ScalarSlot } from "../layout.js";
import type { Channel } from "./channels.js";
import type { Emitter } from "./expressions.js";
import { claim, failed, guarded } from "./guards.js";
import { arityOf, type Rendezvous } from "./rendezvous.js";
import { sum, type Scope } from "./scope.js";
import { block, type Unit } from "./unit.js";

export class Attempts {
  readonly #em: Emitter;
  readonly #rendezvous: Rendezvous;

  constructor(em: Emitter, rendezvous: Rendezvous) {
    this.#em = em;
    this.#rendezvous = rendezvous;
  }

  /** Tests whether `edge` is executable in `scope`; if so runs `body`, given the text of its communication. */
  attempt(
    unit: Unit,
    edge: Edge,
    scope: Scope,
    body: (communicate: string) => string,
    location: Location,
  ): string {
    const dies = edge.effects.some((e) => e.kind === "die");
    // sound: test/compile/conditions.test.ts
    if (edge.guard.kind !== "always" && (dies || edge.communication))
      throw new Error("a communication or an end cannot have a condition");
    // sound: test/compile/cases/processes.test.ts
    if (dies) return block(`if (${sum(unit.pid, 1)} === np)`, body(""));
    if (edge.communication) return this.#communicate(unit, edge, edge.communication, scope, body, location);
    switch (edge.guard.kind) {
      case "always":
        return `{\n${body("")}\n}`;
      case "else":
        return block("if (n === before)", body(""));
      case "condition": {
        const test = this.#em.test(edge.guard.condition, scope);
        return this.#em.takeFaultFlag()
          ? guarded(this.#em, test, scope, body(""))
          : block(`if (${test})`, body(""));
      }
    }
  }

  #communicate(
    unit: Unit,
    edge: Edge,
    c: Communication,
    scope: Scope,
    body: (communicate: string) => string,
    location: Location,
  ): string {
    const em = this.#em;
    const q = em.shapes.resolve(em, c.channel, scope);
    const canFault = em.takeFaultFlag();
    const arity = arityOf(c);
    const variants = q.shapes.map((k) => {
      const shape = em.shapes.shapes[k]!;
      let text: string;
      // sound: test/compile/cases/channels.test.ts test/compile/cases/handshakes.test.ts test/compile/cases/arities.test.ts
      if (c.kind === "receive" && c.keep && shape.capacity === 0)
        text = `${em.bad(c.rendezvousSite)}; ${failed(scope)}`;
      // sound: test/compile/cases/arities.test.ts test/compile/cases/channels.test.ts
      else if (arity > shape.fields.length || (c.kind === "send" && arity < shape.fields.length))
        text = this.#wrongArity(c, k, q, scope);
      else if (shape.capacity === 0)
        text = c.kind === "send" ? this.#rendezvous.offer(unit, edge, c, k, q.id, scope, location) : "";
      else if (c.kind === "send") text = this.#send(unit, c, q, k, scope, body);
      else text = this.#receive(unit, c, q, k, scope, body);
      return { k, text };
    });
    const chain = variants.length === 1 ? variants[0]!.text : dispatch(`QS[${q.id}]`, variants);
    const setup = q.setup === "" ? "" : `${q.setup};\n`;
    const failing = [
      // sound: test/compile/cases/channels.test.ts
      ...(canFault ? [`if (fault !== 0) ${failed(scope)}`] : []),
      // sound: test/compile/cases/channels.test.ts
      ...(q.exists === undefined ? [] : [`if (!(${q.exists})) { ${em.bad(c.site)}; ${failed(scope)} }`]),
    ];
    return `${setup}${[...failing, `{\n${chain}\n}`].join("\nelse ")}`;
  }

  /** A message of the wrong size is a fault when sent, lost or received. */
  #wrongArity(c: Communication, k: number, q: Channel, scope: Scope): string {
    const { capacity } = this.#em.shapes.shapes[k]!;
    const fail = `${this.#em.bad(c.messageSite)}; ${failed(scope)}`;
    // sound: test/compile/cases/handshakes.test.ts test/compile/cases/channels.test.ts
    if (capacity === 0) return c.kind === "send" ? fail : "";
    // sound: test/compile/cases/arities.test.ts
    if (c.kind === "send" && this.#em.program.rules.loseWhenFull) return fail;
    const length = this.#em.shapes.lengthOf(k, scope, q.header);
    // sound: test/compile/cases/channels.test.ts
    return `if (${length} ${c.kind === "send" ? `< ${capacity}` : "> 0"}) { ${fail} }`;
  }

  #send(
    unit: Unit,
    c: Communication & { kind: "send" },
    q: Channel,
    k: number,
    scope: Scope,
    body: (communicate: string) => string,
  ): string {
    const em = this.#em;
    const { capacity, slots, narrowedLeaf, fields } = em.shapes.shapes[k]!;
    const length = em.temporary();
    const values = fields.map((_, i) => em.value(c.message[i]!, scope));
    const canFault = em.takeFaultFlag();
    const held = values.map(() => em.temporary());
    const assign = held.map((h, i) => this.#hold(h, values[i]!, fields[i]!)).join(" ");
    const isLonger = `wide(${narrowedLeaf}, ${slots + 1});`;
    // sound: test/compile/narrow.test.ts
    const room = narrowedLeaf === undefined ? "" : `if (${length} === ${slots}) ${isLonger} `;
    const op = `q${k}_${c.sorted ? "sorted" : "send"}(${em.shapes.places(q)}, ${[length, ...held].join(", ")});`;
    const put = this.#em.program.rules.loseWhenFull
      ? `if (${length} < ${capacity}) { ${room}${op} }`
      : `${room}${op}`;
    const inner = body(`${claim(em, unit.pid, k, q, "send")}${put}`);
    const set = `${length} = ${em.shapes.lengthOf(k, scope, q.header)};`;
    const checked = canFault ? `if (fault !== 0) ${failed(scope)}\nelse {\n${inner}\n}` : inner;
    // The values of a lost message are not evaluated.
    if (this.#em.program.rules.loseWhenFull)
      return `${set}\n${block(`if (${length} < ${capacity})`, assign)}\n{\n${checked}\n}`;
    // sound: test/compile/cases/channels.test.ts
    return `${set}\nif (${length} < ${capacity}) {\n${`${assign}\n${checked}`}\n}`;
  }

  /** Assigns a message field to a temporary; checks that it fits a narrowed slot. */
  #hold(name: string, value: string, slot: ScalarSlot): string {
    // sound: test/compile/cases/channels.test.ts test/compile/narrow.test.ts
    if (slot.narrowedLeaf === undefined) return `${name} = ${value};`;
    const [check, kept] = this.#em.places.fit(slot, value);
    return `${check} ${name} = ${kept};`;
  }

  #receive(
    unit: Unit,
    c: Communication & { kind: "receive" },
    q: Channel,
    k: number,
    scope: Scope,
    body: (communicate: string) => string,
  ): string {
    const em = this.#em;
    const length = em.temporary();
    const slot = c.random ? em.temporary() : 0;
    const tests = [
      ...(c.random ? em.computed(c.pattern, scope) : []), // sound: test/compile/cases/channels.test.ts
      ...em.matches(c.pattern, scope, (f) => em.shapes.field(em, k, scope, q.area, slot, f)),
    ];
    const canFault = em.takeFaultFlag();
    const held = new Map<number, string>();
    c.pattern.forEach((p, f) => p.kind === "store" && held.set(f, em.temporary()));
    const hold = [...held]
      .map(([f, t]) => `${t} = ${em.shapes.field(em, k, scope, q.area, slot, f)};`)
      .join(" ");
    const target: Scope = { ...scope, array: "w" };
    const stores = c.pattern.flatMap((p, f) =>
      p.kind === "store" ? [em.places.store(p.target, held.get(f)!, target)] : [],
    );
    // sound: test/compile/cases/channels.test.ts
    const remove = c.keep ? "" : `q${k}_remove(${em.shapes.places(q)}, ${slot}, ${length});`;
    // A peek may omit fields.
    // sound: test/compile/cases/arities.test.ts
    const inner =
      !c.keep && c.pattern.length < em.shapes.shapes[k]!.fields.length
        ? `${em.bad(c.messageSite)}; ${failed(scope)}`
        : `${hold}\n${body([claim(em, unit.pid, k, q, "receive"), remove, ...stores].join("\n"))}`;
    const set = `${length} = ${em.shapes.lengthOf(k, scope, q.header)};`;
    if (!c.random) {
      // sound: test/compile/cases/channels.test.ts
      const test = [`${length} > 0`, ...tests].join(" && ");
      if (canFault) return `${set}\n${guarded(this.#em, test, scope, inner)}`;
      return `${set}\n${block(`if (${test})`, inner)}`;
    }
    const matches = tests.join(" && ") || "true";
    // sound: test/compile/cases/channels.test.ts
    const find = `for (${slot} = 0; ${slot} < ${length} && !(${matches}); ${slot}++);`;
    // sound: test/compile/cases/channels.test.ts
    const found = `${slot} < ${length}`;
    return canFault
      ? `${set} ${find}\n${guarded(this.#em, found, scope, inner)}`
      : `${set} ${find}\n${block(`if (${found})`, inner)}`;
  }
}

function dispatch(subject: string, variants: readonly { k: number; text: string }[]): string {
  const cases = variants.map(({ k, text }) => `case ${k}: {\n${text}\nbreak;\n}`);
  return `switch (${subject}) {\n${cases.join("\n")}\n}`;
}

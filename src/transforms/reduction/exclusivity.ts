/**
 * Ownership of channels. A send by the only sender and a receive by the only receiver of a channel commute with all
 * operations of others on it, as long as no other process can see the difference.
 *
 * A process is the only one by declaration (`xr`, `xs`, if all processes that may use the channel declare it: a second
 * declaration is a fault, which must be checked) or by proof: its template stands for one process, and no other template has
 * a statement that may name the channel. Seeing the difference means testing the channel in a way that a send or receive can
 * turn from true to false: with `else`, an escape, or by blocking in the middle of an atomic sequence.
 */
import type { Communication, Edge, Expr, Place, Program, Template } from "../../model/index.js";
import { ChannelFlow, mayMeet, type ChannelSet } from "./channels.js";
import { singletons } from "./instances.js";
import { showsBlocking } from "./readiness.js";
import {
  childrenOf,
  edgesOf,
  sameVariable,
  startingExpressions,
  targetsOf,
  topExpressions,
} from "../../model/program-walk.js";
import { nth } from "../../model/known.js";

export type Access = "send" | "receive";

export class Exclusivity {
  readonly #program: Program;
  readonly #flow: ChannelFlow;
  readonly #isSingle: readonly boolean[];
  readonly #trustsClaims: boolean;
  readonly #observations: readonly Observation[];

  constructor(program: Program, observed: readonly Expr[], trustsClaims: boolean) {
    this.#program = program;
    this.#trustsClaims = trustsClaims;
    this.#isSingle = singletons(program);
    this.#flow = new ChannelFlow(program, this.#isSingle);
    this.#observations = [
      ...program.templates.flatMap((t, i) => observationsIn(t, i)),
      ...program.templates.flatMap((t, i) => initialQuestions(t, i)), // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      ...observed.flatMap((e) => questionsIn(e, -1, false)),
    ];
  }

  isSingle(template: number): boolean {
    return nth(this.#isSingle, template);
  }

  /** Is a process of that template alone in sending to (receiving from) the channel, and unseen? */
  holds(template: number, channel: Expr, access: Access): boolean {
    const byClaim = this.#trustsClaims && this.#isGuarded(template, channel, access);
    if (!byClaim && !this.#isAlone(template, channel, access)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (!this.#isKeptAlive(template, channel)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (access === "receive" && this.#isSorted(template, channel)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    const mine = this.#flow.of(channel, template);
    return this.#observations.every(
      (o) =>
        this.#isOwn(o, template, access, byClaim) ||
        !mayMeet(this.#flow.of(o.channel, o.template), mine) ||
        isHarmless(o, access),
    );
  }

  /**
   * Claimed, as by all others who may use the channel: then a claim is false only where there is a second one, which is a fault
   * when that process is created. An access that was never claimed would be a fault only if it came to it.
   */
  #isGuarded(template: number, channel: Expr, access: Access): boolean {
    if (!this.isClaimed(template, channel, access)) return false;
    const mine = this.#flow.of(channel, template);
    return this.#program.templates.every((t, i) =>
      [...edgesOf(t)].every(
        ({ communication: c }) =>
          c?.kind !== access ||
          this.isClaimed(i, c.channel, access) || // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
          !mayMeet(this.#flow.of(c.channel, i), mine),
      ),
    );
  }

  /** Claimed through a variable that keeps the channel it named then. */
  isClaimed(template: number, channel: Expr, access: Access): boolean {
    if (channel.kind !== "load") return false;
    const { place } = channel;
    const t = nth(this.#program.templates, template);
    return (
      this.#isKept(place, t) &&
      t.claims.some(
        (c) => c.access === access && c.channel.kind === "load" && isSamePlace(c.channel.place, place),
      )
    );
  }

  /** Does everyone who sends (receives) anywhere claim the channel? */
  allClaim(access: Access): boolean {
    return this.#program.templates.every((t, i) =>
      [...edgesOf(t)].every(
        ({ communication }) =>
          communication?.kind !== access || this.isClaimed(i, communication.channel, access),
      ),
    );
  }

  #isAlone(template: number, channel: Expr, access: Access): boolean {
    if (!this.#isSingle[template]) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    const mine = this.#flow.of(channel, template);
    if (mine === "any") return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    return this.#program.templates.every(
      (t, i) =>
        i === template ||
        [...edgesOf(t)].every(
          ({ communication: c }) => c?.kind !== access || !mayMeet(this.#flow.of(c.channel, i), mine),
        ),
    );
  }

  /** Does the channel exist as long as the process that names it? Any other dies with its creator, at any time. */
  #isKeptAlive(template: number, channel: Expr): boolean {
    return this.#flow.isAlive(channel, template) || this.#isOwnCreation(template, channel);
  }

  /** A variable that keeps the channel which the process created for it. */
  #isOwnCreation(template: number, channel: Expr): boolean {
    if (channel.kind !== "load" || channel.place.scope !== "local") return false;
    const { place } = channel;
    const t = nth(this.#program.templates, template);
    const isCreated = t.initialisers.some((i) => i.kind === "channel" && isSamePlace(i.target, place));
    return isCreated && this.#isKept(place, t);
  }

  /** Another process may insert a message before the first one. */
  #isSorted(template: number, channel: Expr): boolean {
    const mine = this.#flow.of(channel, template);
    return this.#program.templates.some(
      (t, i) =>
        !(i === template && this.#isSingle[i]) &&
        [...edgesOf(t)].some(
          ({ communication: c }) =>
            c?.kind === "send" && c.sorted && mayMeet(this.#flow.of(c.channel, i), mine),
        ),
    );
  }

  /** One's own question; or one about a channel that its asker has claimed exclusively, so that it is another channel. */
  #isOwn(o: Observation, template: number, access: Access, byClaim: boolean): boolean {
    if (o.template === template && this.#isSingle[template]) return true; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    return byClaim && o.template >= 0 && this.isClaimed(o.template, o.channel, access);
  }

  /** No step changes the variable. */
  #isKept(place: Place, template: Template): boolean {
    const users = place.scope === "local" ? [template] : this.#program.templates;
    return users.every((t) =>
      [...edgesOf(t)].every((e) => ![...targetsOf(e)].some((p) => sameVariable(p, place))),
    );
  }

  channelsOf(channel: Expr, template: number): ChannelSet {
    return this.#flow.of(channel, template);
  }
}

/** A way to see what is in a channel. */
interface Observation {
  /** The scope of the test, -1: outside of any. */
  readonly template: number;
  readonly channel: Expr;
  /** The test, if nothing but its becoming true matters. */
  readonly waitsFor: "empty" | "full" | "nempty" | "nfull" | undefined;
}

/** A receive never makes these false, a send never those. */
const isHarmless = ({ waitsFor }: Observation, access: Access): boolean =>
  access === "receive"
    ? waitsFor === "nfull" || waitsFor === "empty" // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    : waitsFor === "nempty" || waitsFor === "full"; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts

function observationsIn(template: Template, index: number): Observation[] {
  const shows = showsBlocking(template);
  return template.locations.flatMap((location, l) =>
    location.edges.flatMap((edge) => [
      ...edgeQuestions(edge, index, !shows[l]),
      ...(edge.communication && shows[l] ? [stuckOn(edge.communication, index)] : []), // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    ]),
  );
}

/** To be stuck, or not, on a full or empty channel: seen by `else`, by escapes, in the middle of a sequence. */
const stuckOn = ({ channel }: Communication, template: number): Observation => ({
  template,
  channel,
  waitsFor: undefined,
});

function edgeQuestions(edge: Edge, template: number, mayWait: boolean): Observation[] {
  const { guard } = edge;
  const waiting = guard.kind === "condition" ? questionsIn(guard.condition, template, mayWait) : [];
  const others = [...topExpressions({ ...edge, guard: { kind: "always" } })];
  return [...waiting, ...others.flatMap((e) => questionsIn(e, template, false))];
}

/** Dependencies of a new process's initial values; the only process of a template has done nothing yet. */
const initialQuestions = (template: Template, index: number): Observation[] =>
  [...startingExpressions(template)].flatMap((e) => questionsIn(e, index, false));

/** `mayWait`: nothing but the expression's becoming true matters. */
function questionsIn(e: Expr, template: number, mayWait: boolean): Observation[] {
  if (e.kind === "binary" && (e.op === "&&" || e.op === "||"))
    return [...questionsIn(e.left, template, mayWait), ...questionsIn(e.right, template, mayWait)];
  if (e.kind === "channel-test")
    return [
      { template, channel: e.channel, waitsFor: mayWait ? e.test : undefined },
      ...innerQuestions(e, template),
    ];
  if (e.kind === "length" || e.kind === "poll")
    return [{ template, channel: e.channel, waitsFor: undefined }, ...innerQuestions(e, template)];
  return childrenOf(e).flatMap((child) => questionsIn(child, template, false)); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
}

const innerQuestions = (e: Expr, template: number): Observation[] =>
  childrenOf(e).flatMap((child) => questionsIn(child, template, false));

/** The same variable and the same constant path. */
const isSamePlace = (a: Place, b: Place): boolean =>
  sameVariable(a, b) &&
  a.path.length === b.path.length &&
  a.path.every((step, i) => {
    const other = nth(b.path, i);
    if (step.kind === "field") return other.kind === "field" && other.field === step.field;
    return (
      other.kind === "index" &&
      step.index.kind === "constant" &&
      other.index.kind === "constant" &&
      step.index.value === other.index.value
    );
  });

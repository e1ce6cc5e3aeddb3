/** Soundness conditions that can be undone one at a time, to test the fuzzers (`undone.ts`) and the tests of sampled states. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusals } from "../../src/transforms/network/gate.js";

interface Replacement {
  /** Below `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Undoing extends Replacement {
  readonly name: string;
  /** A second place that ensures the same. */
  readonly also?: Replacement;
  /** The fuzzer that must detect it: a script of `package.json`, with options. */
  readonly by: string;
  /** Skips cases whose text (`case-texts.ts`) lacks it, so that the case found need not be the first. */
  readonly matching?: string;
}

const TINY = "fuzz:tiny --no-minimise";
const TINY_LTL = "fuzz:tiny --no-minimise --ltl";
const TINY_PEER = "fuzz:tiny --no-minimise --peer";
const LTL = "fuzz:ltl --no-minimise --time 5";
const MURPHI = "fuzz:tiny-murphi";
const MURPHI_PEER = "fuzz:tiny-murphi --peer";
const NODES = "fuzz:nodes";
const SCHEDULES = "fuzz:schedules --runs 15";
const NETWORKS = "fuzz:sdn";
const NETS = "fuzz:nets --only nets";
const MATRIX = "matrix";

/** Refusals undone together: examples of `packets` for clients also relate packets to one another. */
const alsoRefused = (reduction: string, reason: string): readonly string[] =>
  reduction === "client" && reason === "packets" ? [reason, "clients and packets"] : [reason];

export const undoings: readonly Undoing[] = [
  {
    name: "sorted-send",
    file: "transforms/reduction/exclusivity.ts",
    from: 'if (access === "receive" && this.#isSorted(template, channel)) return false;',
    to: "",
    by: TINY,
    matching: "c\\?<?x>?;\\n\\tassert.*c!!\\d;\\n\\tc!!\\d",
  },
  {
    name: "readiness-in-partial-order",
    file: "transforms/reduction/marking.ts",
    from: "if (block.some((e) => this.#readiness.isSeen(t, e.to))) return undefined;",
    to: "",
    by: TINY,
    matching: "chan r.*(r\\?x|r!1);\\n}.*(:: (r\\?x|r!1) :: else|unless \\{ r|atomic \\{ h = 1; r)",
  },
  {
    name: "readiness-in-merging",
    file: "transforms/reduction/merge.ts",
    from: "if (this.#facts.isReadinessSeen(edge.to)) return false;",
    to: "",
    by: TINY,
    matching:
      "g = 1;\\n\\t.*(r\\?x|r!1);\\n}.*(g == 1).*(:: (r\\?x|r!1) :: else|unless \\{ r|atomic \\{ h = 1; r)",
  },
  {
    name: "observed-in-index",
    file: "transforms/reduction/exclusivity.ts",
    from: 'const others = [...topExpressions({ ...edge, guard: { kind: "always" } })];',
    to: 'const others = [...topExpressions({ ...edge, guard: { kind: "always" }, communication: undefined })];',
    by: TINY,
    matching: "d\\[len\\(c\\) % 2\\]!1;\\n|d\\[0\\]!len|\\?a\\[len\\(c\\) % 2\\];\\n",
  },
  {
    name: "observed-in-initialiser",
    file: "transforms/reduction/exclusivity.ts",
    from: "...program.templates.flatMap((t, i) => initialQuestions(t, i)),",
    to: "",
    by: TINY,
    matching: "byte x = len.*c!1.*run D",
  },
  {
    name: "false-claim",
    file: "transforms/reduction/exclusivity.ts",
    from: "this.isClaimed(i, c.channel, access) ||",
    to: "true ||",
    by: TINY,
    matching: "x[rs] c.*end0: false",
  },
  {
    name: "dying-channel",
    file: "transforms/reduction/exclusivity.ts",
    from: "if (!this.#isKeptAlive(template, channel)) return false;",
    to: "",
    by: TINY,
    matching: "t\\?q;.*\\tq[!?].*chan l",
  },
  {
    name: "fault-in-chain",
    file: "transforms/reduction/merge.ts",
    from: "if (this.#facts.isOurs && isFallible(next) && this.#isSeen(at, chain)) return chain;",
    to: "",
    by: TINY,
    matching: "g = 1;\\n.*(a\\[|/|%|u!).*assert\\(g == 0\\)",
  },
  {
    name: "constant-index",
    file: "transforms/reduction/failing.ts",
    from: '!(step.index.kind === "constant" && step.index.value >>> 0 < step.length)',
    to: 'step.index.kind !== "constant"',
    by: TINY,
    matching: "a\\[([23]|_pid)",
  },
  {
    name: "sliced-fault",
    file: "transforms/reduction/slice.ts",
    from: "return isNeeded(e.target) || mayStop(e);",
    to: "return isNeeded(e.target);",
    by: TINY,
    matching: "[xg] = (a\\[|1 /|2 %)|a\\[[^\\]]*\\] = ",
  },
  {
    name: "print-argument",
    file: "compile/codegen/taking.ts",
    from: '.filter((text) => text.includes("bad("))',
    to: '.filter((text) => text === "")',
    by: TINY,
    matching: "printf",
  },
  {
    name: "failure-behind-fault",
    file: "compile/codegen/entries.ts",
    from: "if (fault !== 0) return; //",
    to: "//",
    by: TINY,
    matching: "(atomic|d_step) \\{ g = 1; .*assert",
  },
  {
    name: "invariant-that-fails",
    file: "compile/codegen/observing.ts",
    from: 'const unknown = "if (fault !== 0) holds = false;";',
    to: 'const unknown = "";',
    by: TINY,
    matching: "\\n\\(([P1]|a\\[g)",
  },
  {
    name: "fault-in-atomic",
    file: "engines/explicit/trace.ts",
    from: 'return this.#wayTo({ kind: "any" }) === undefined;',
    to: 'this.#expand(this.#state);\n    return this.#choiceFor({ kind: "any" }) < 0;',
    by: TINY_LTL,
    matching: "(atomic|d_step) \\{ g = 1;|atomic \\{",
  },
  {
    name: "receive-of-any-message",
    file: "transforms/reduction/marking.ts",
    from: "if (c.random) return false;",
    to: "",
    by: TINY,
    matching: "if :: c\\?\\?",
  },
  {
    name: "read-by-initialiser",
    file: "transforms/reduction/marking.ts",
    from: "e.variable === g) users.add(-1);",
    to: "e.variable === g) continue;",
    by: TINY,
    matching: "byte x = g.*g = 1.*run D",
  },
  {
    name: "kept-when-dead",
    file: "transforms/reduction/dead.ts",
    from: "&& !this.#isKept(slot);",
    to: ";",
    by: TINY,
    matching: "x = \\d;\\n.*P0:x",
  },
  {
    name: "failing-receive-target",
    file: "transforms/reduction/slice.ts",
    from: "&& !canFailAt(p.target);",
    to: ";",
    by: TINY,
    matching: "c\\?a\\[",
  },
  {
    name: "waiting-state-in-proviso",
    file: "engines/explicit/reduction.ts",
    from: "${id} > head + origin",
    to: "${id} >= head + origin",
    by: TINY,
    matching: "do :: (x = 0|skip) od.*do :: (x = 0|skip) od",
  },
  {
    name: "fairness-in-partial-order",
    file: "transforms/reduction/temporal.ts",
    from: 'if (isFair) return "fairness depends on the enabled processes of every state";',
    to: "",
    also: {
      file: "transforms/product.ts",
      from: "const candidates = isFair ? undefined : system.candidates;",
      to: "const { candidates } = system;",
    },
    by: TINY_LTL,
    matching: "do :: .*(weak|strong)$",
  },
  {
    name: "acceptance-of-terminal",
    file: "transforms/terminal.ts",
    from: "to === state && marks === all && guard.some",
    to: "to === state && guard.some",
    by: LTL,
    matching: "never \\{",
  },
  {
    name: "poll-of-rendezvous",
    file: "compile/codegen/channels.ts",
    from: "if (capacity === 0) return em.bad(e.rendezvousSite);",
    to: 'if (capacity === 0) return "0";',
    by: TINY_PEER,
    matching: "r\\?\\[",
  },
  {
    name: "states-that-wait-in-any-order",
    file: "engines/explicit/stores/partial-store.ts",
    from: "if (this.#isInOrder) for (; this.#first",
    to: "for (; this.#first",
    by: MATRIX,
    matching: "large",
  },
  {
    name: "states-let-go-when-expanded",
    file: "engines/explicit/stores/partial-store.ts",
    from: "if (done === CHUNK_MASK + (chunk === 0 ? 0 : 1))",
    to: "if (done === CHUNK_MASK)",
    by: MATRIX,
    matching: "large",
  },
  {
    name: "reference-parameter-of-a-round",
    file: "transforms/symmetry/loops.ts",
    from: 'where: { root: { kind: "parameter", slot }, path: [] }',
    to: 'where: { root: { kind: "own" }, path: [] }',
    by: MURPHI,
    matching: "procedure pick",
  },
  {
    name: "local-that-reads-itself",
    file: "transforms/symmetry/loops.ts",
    from: "for (const slot of slotsUsed(statement, target)) seen.add(slot);",
    to: 'for (const slot of slotsUsed(statement, target)) if (!(target?.root.kind === "slot" && target.root.slot === slot)) seen.add(slot);',
    by: MURPHI,
    matching: "t := isundefined\\(t\\)",
  },
  {
    name: "local-used-after-the-loop",
    file: "transforms/symmetry/loops.ts",
    from: "for (const slot of slotsUsed(node, undefined)) slots.delete(slot);",
    to: ";",
    by: MURPHI,
    matching: "b := t",
  },
  {
    name: "alias-around-the-loop",
    file: "transforms/symmetry/loops.ts",
    from: 'if (node.kind === "refer") slots.set(node.slot, { kind: "place", where: whereOf(node.place, slots) });',
    to: 'if (node.kind === "refer") slots.set(node.slot, { kind: "place", where: { root: { kind: "own" }, path: [] } });',
    by: MURPHI,
    matching: "alias z",
  },
  {
    name: "reference-to-anything",
    file: "transforms/symmetry/loops.ts",
    from: 'if (!kinds.includes("parameter") || kinds.includes("local")) return false;',
    to: "if (kinds.length > 0) return false;",
    by: MURPHI,
    matching: "procedure mix",
  },
  {
    name: "first-of-several-errors",
    file: "transforms/symmetry/loops.ts",
    from: "if (this.#stops > 0 && failures > 1)",
    to: "if (this.#stops < 0)",
    by: MURPHI,
    matching: "for i: s do (assert|if a\\[i\\] then error)",
  },
  {
    name: "assumption-beside-error",
    file: "transforms/symmetry/loops.ts",
    from: "if (this.#isRejecting && failures > 0)",
    to: "if (this.#stops < 0)",
    by: MURPHI,
    matching: "for i: s do assume",
  },
  {
    name: "other-constants-in-rounds",
    file: "transforms/symmetry/loops.ts",
    from: "return a.value === b.value;",
    to: "return true;",
    by: MURPHI,
    matching: "then b := true; else b := false",
  },
  {
    name: "effects-in-quantifiers",
    file: "transforms/symmetry/loops.ts",
    from: 'if (round.touches.some(({ how }) => how.kind !== "read")) return "a called function changes the state";',
    to: "",
    by: MURPHI,
    matching: "function ask",
  },
  {
    name: "cleared-to-the-first-element",
    file: "transforms/symmetry/plan.ts",
    from: "yield* refuse(node.place.type, \"'clear' gives it its first element\");",
    to: "",
    by: MURPHI,
    matching: "clear p",
  },
  {
    name: "counting-both-ways",
    file: "transforms/symmetry/loops.ts",
    from: "return a.isUp === b.isUp;",
    to: "return true;",
    by: MURPHI,
    matching: "n := n \\+ 1; else",
  },
  {
    name: "cover-before-start",
    file: "compile/rules/codegen/module.ts",
    from: "text: f && `!${f}(w, o)`, before: true",
    to: "text: f && `!${f}(w, o)`, before: undefined",
    by: MURPHI_PEER,
    matching: "cover .*isundefined",
  },
  {
    name: "cover-beside-error",
    file: "transforms/symmetry/loops.ts",
    from: "if (this.#isCovering && (this.#isRejecting || failures > 0))",
    to: "if (this.#stops < 0)",
    by: MURPHI,
    matching: "for i: s do cover",
  },
  {
    name: "lost-behind-others",
    file: "code/system/network.ts",
    from: "if (this.#isFifo && mayBeLost) return false;",
    to: "",
    by: NODES,
    matching: '"loss":true,"order":"fifo"',
  },
  {
    name: "crash-inside-handler",
    file: "code/system/local-steps.ts",
    from: "const points = isLast ? crashPoints.slice(0, -1) : crashPoints;",
    to: "const points = crashPoints.slice(crashPoints.length);",
    by: NODES,
  },
  {
    name: "crash-while-starting",
    file: "code/system/node-system.ts",
    from: ".filter(({ crash }) => !crash || this.#isLeft(start.words, 0, budgets.crashes))",
    to: ".filter(({ crash }) => !crash)",
    by: NODES,
    matching: '"start\\d":\\[\\{(?!.*between-handlers).*"crashes":',
  },
  {
    name: "crash-draws-from-its-budget",
    file: "code/system/independence.ts",
    from: "(outcome.crash ? crashing : 0);",
    to: "0;",
    by: NODES,
    matching: '"crashes":2(?!.*between-handlers)',
  },
  {
    name: "copies-in-no-order",
    file: "code/system/network.ts",
    from: "if (isCopy) return true;",
    to: "",
    by: NODES,
    matching: '"duplicates".*"fifo"',
  },
  {
    name: "subset-of-unsynced-writes",
    file: "code/system/remains.ts",
    from: 'mode === "in-order"\n',
    to: 'mode !== "kept"\n',
    by: NODES,
  },
  {
    name: "several-bad-messages",
    file: "code/system/node-system.ts",
    from: "for (const site of bad) visit(event, outcome, site);",
    to: "",
    by: NODES,
    matching: '"messages":\\[\\{[^}]*\\},\\{',
  },
  {
    name: "loss-anywhere-in-a-queue",
    file: "code/system/network.ts",
    from: "const losses = packets.map((packet, place) => ({",
    to: "const losses = packets.slice(0, 1).map((packet, place) => ({",
    by: NODES,
    matching: '"loss".*"order":"fifo"',
  },
  {
    name: "order-of-unsynced-writes",
    file: "code/system/side.ts",
    from: "losesInOrder || unsynced.some",
    to: "unsynced.some",
    by: NODES,
    matching: '"write".*"lost-in-order"',
  },
  {
    name: "time-while-a-request-is-answered",
    file: "code/world/moments.ts",
    from: "this.#zone.elapse();\n      this.#keepLate(this.#zone);",
    to: "",
    by: SCHEDULES,
    matching:
      '"steps":\\[\\{"do":"sleep".*"ask","service":\\d\\},\\{"do":"sleep"|"ask","service":\\d\\},\\{"do":"sleep".*"steps":\\[\\{"do":"sleep"',
  },
  {
    name: "timers-of-one-delay-in-one-go",
    file: "code/world/moments.ts",
    from: "return this.#inOrder(timer) ?? this.#inOneGo(timer);",
    to: "return this.#inOrder(timer);",
    by: SCHEDULES,
    matching: '"ms":[235]\\},\\{"do":"sleep","ms":(\\d+)\\}\\].*"sleep","ms":\\1\\}\\]',
  },
  {
    name: "work-left-behind",
    file: "code/world/world.ts",
    from: 'const enabled = this.body === "done" ? this.#left() : this.enabled();',
    to: 'const enabled = this.body === "done" ? this.#left().slice(0, 1) : this.enabled();',
    by: SCHEDULES,
    matching: '"isLeft":true.*"isLeft":true',
  },
  {
    name: "write-in-steps",
    file: "code/builtins/fs-operations.ts",
    from: "const own = steps[name]?.(args, reach) ?? [() => run(...(args as never[]))];",
    to: "const own = [() => run(...(args as never[]))];",
    by: SCHEDULES,
    matching:
      '"write","file":"(.)".*"isLeft".*"read","file":"\\1"|"read","file":"(.)".*"isLeft".*"write","file":"\\2"',
  },
  {
    name: "file-operation-meanwhile",
    file: "code/builtins/fs-world.ts",
    from: "const chosen = others[world.choose(others.length + 1) - 1];",
    to: "const chosen = others[-1];",
    by: SCHEDULES,
    matching: '"write","file":"(.)".*"isLeft".*"(read|write)","file":"\\1"',
  },
  {
    name: "file-operations-through-a-third",
    file: "code/builtins/fs-world.ts",
    from: "settleBefore(chosen.touches, [...busy, ...others]);",
    to: "",
    by: SCHEDULES,
    matching: '"write".*"rename".*"read"',
  },
  {
    name: "effect-between-request-and-answer",
    file: "code/collect/schedule-world.ts",
    from: "if (world.choose(2) === 0) return answerNow();",
    to: "if (world.turns > 0) return answerNow();",
    by: SCHEDULES,
    matching: '"ask".*"isLeft".*"ask".*"fails":false',
  },
  {
    name: "effect-after-failure",
    file: "code/collect/schedule-world.ts",
    from: 'if (world.choose(2) === 1) addTurn(world, asked, "does", () => void perform(asked.run));',
    to: "",
    by: SCHEDULES,
    matching: '"ask".*"isLeft".*"fails":true',
  },
  {
    name: "segments-that-merge",
    file: "code/devices/wire.ts",
    from: "this.#world.choose(following.length + 1)",
    to: "0",
    by: SCHEDULES,
    matching: '"writes":\\["p","q"',
  },
  {
    name: "headers-before-body",
    file: "code/collect/schedule-world.ts",
    from: "withLateBody(world, sentFrom(headers, url), asked, signal)",
    to: "sentFrom(headers, url)",
    by: SCHEDULES,
    matching: '"fetch","abortMs":0',
  },
  {
    name: "abort-after-headers",
    file: "code/collect/schedule-world.ts",
    from: 'signal?.addEventListener("abort", giveUp, { once: true });',
    to: "",
    by: SCHEDULES,
    matching: '"fetch","abortMs":(5|15)',
  },
  {
    name: "packets-pass-a-barrier",
    file: "compile/network/machine.ts",
    from: "if (hasBarrier && !this.isOpenFlow) return;",
    to: "if (hasBarrier) return;",
    by: NETWORKS,
  },
  {
    name: "transfers-empty-places",
    file: "engines/coverability/predecessors.ts",
    from: "for (const place of transfersFrom) from.set(place, []);",
    to: "",
    by: NETS,
    matching: '"transfers"',
  },
  {
    name: "transfers-into-a-place",
    file: "engines/coverability/predecessors.ts",
    from: "if (to !== NOWHERE) from.set(to, [...(from.get(to) ?? [to]), transfersFrom[i]!]);",
    to: "",
    by: NETS,
    matching: '"transfers"',
  },
  {
    name: "transfers-in-weights",
    file: "engines/coverability/weights.ts",
    from: "...[...transfersFrom].map((from, i): Change => {",
    to: "...[...transfersFrom].slice(0, 0).map((from, i): Change => {",
    by: NETS,
    matching: '"transfers"',
  },
  {
    name: "transfers-while-firing",
    file: "engines/coverability/dense.ts",
    from: "if (transition.transfersFrom.length > 0) transfer(transition, vector);",
    to: "",
    by: NETS,
    matching: '"transfers"',
  },
  {
    name: "transfers-refused-by-eec",
    file: "engines/coverability/dense.ts",
    from: "if (transition) throw new Error(`${procedure} cannot treat the transfers of ${transition.name}`);",
    to: "",
    by: NETS,
    matching: '"transfers"',
  },
  {
    name: "starts-before-transfers",
    file: "compile/net.ts",
    from: "if (isSource && this.#begun >= 0 && state[at + this.#begun] !== 0) return false;",
    to: "",
    by: NETS,
    matching: '"transfers".*"isSource"',
  },
  {
    name: "places-emptied-in-states",
    file: "compile/net.ts",
    from: "for (const [from] of transfers) words[to + from] = 0;",
    to: "",
    by: NETS,
    matching: '"transfers"',
  },
  ...refusals.map(({ reduction, reason }): Undoing => ({
    name: `${reduction} despite ${reason}`,
    file: "transforms/network/gate.ts",
    from: "if (reduction !== name) continue;",
    to: `if (reduction !== name || (name === "${reduction}" && ${JSON.stringify(alsoRefused(reduction, reason))}.includes(reason))) continue;`,
    by: NETWORKS,
    matching: `${reduction} despite ${reason}`,
  })),
];

/** Undoes a condition in a copy of the repository; returns its restoration. Throws unless each text occurs once. */
export function undo(undoing: Undoing, folder: string): () => void {
  const places = [undoing, ...(undoing.also ? [undoing.also] : [])];
  const restores = places.map((place) => replace(undoing.name, place, folder));
  return () => restores.forEach((restore) => restore());
}

function replace(name: string, { file, from, to }: Replacement, folder: string): () => void {
  const path = join(folder, "src", file);
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${name}: the condition is not once in src/${file}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  return () => writeFileSync(path, text);
}

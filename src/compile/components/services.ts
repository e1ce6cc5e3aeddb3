/**
 * Compose files as products by vectors: a service is one automaton, a start with its conditions is one vector, and so is every call. A call
 * to a service that is not ready is an error that changes nothing.
 */
import {
  END_NAME,
  LtsBuilder,
  type ComposeCondition,
  type ComposeFile,
  type ComposeService,
  type LtsNetwork,
  type NetworkPart,
  type SyncVector,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

export interface ServiceNetwork {
  readonly network: LtsNetwork;
  /** By label: the class of the error. */
  readonly errors: ReadonlyMap<string, "early" | "down">;
  readonly controls: ReadonlySet<string>;
}

const states = [
  "created",
  "starting",
  "ready",
  "unhealthy",
  "completed",
  "failed",
  "down",
  "stopped",
] as const;
type State = (typeof states)[number];

const RUNNING: readonly State[] = ["starting", "ready", "unhealthy"];

const met: Readonly<Record<ComposeCondition, string>> = {
  service_started: "(started)",
  service_healthy: "(healthy)",
  service_completed_successfully: "(completed)",
};

type Moves = ReadonlyMap<number, string>;

export function serviceNetwork(file: ComposeFile): ServiceNetwork {
  const { services, replaced, crashes, span } = file;
  const at = new Map(services.map(({ name }, i) => [name, i]));
  const partOf = (name: string): number => at.get(name) ?? -1;
  const budget = services.length;
  const change = services.length + 1;
  const steps: { readonly label: string; readonly moves: Moves }[] = [];
  const step = (label: string, ...moves: readonly (readonly [number, string])[]): void =>
    void steps.push({ label, moves: new Map(moves) });
  const errors = new Map<string, "early" | "down">();
  const wrong = (
    kind: "early" | "down",
    label: string,
    ...moves: readonly (readonly [number, string])[]
  ): void => {
    errors.set(label, kind);
    step(label, ...moves);
  };
  for (const service of services) {
    const own = partOf(service.name);
    const { name, isJob } = service;
    const conditions = service.dependencies.map(
      ({ service: other, condition }) => [partOf(other), met[condition]] as const,
    );
    // sound: test/compile/services.test.ts
    step(`start ${name}`, [own, "start"], ...conditions);
    step(`start ${name} again`, [own, "again"], ...conditions);
    step(`restart ${name}`, [own, "restart"]);
    for (const event of isJob
      ? ["complete", "fail"]
      : [service.hasHealthCheck ? "healthy" : "ready", "unhealthy"])
      step(`${name}: ${event}`, [own, event]);
    step(`${name}: gives up`, [own, "give up"]);
    if (crashes > 0) step(`${name}: crash`, [own, "crash"], [budget, "crash"]);
    if (crashes > 0) step(`${name}: crash`, [own, "crash for good"], [budget, "crash"]);
    // Compose reports the failure, and starts nothing that waits for it.
    step(END_NAME, [own, "(failed)"]);
    for (const { service: other, waits } of service.calls) {
      const called = partOf(other);
      if (called < 0) continue;
      const verb = nth(services, called).isJob ? "needs" : "calls";
      step(`${name} ${verb} ${other}`, [own, "(running)"], [called, "(ready)"]);
      if (waits) continue;
      const early = nth(services, called).isJob ? "before it has completed" : "before it is ready";
      wrong("early", `${name} ${verb} ${other} ${early}`, [own, "(running)"], [called, "(early)"]);
      wrong("down", `${name} ${verb} ${other} while it is down`, [own, "(running)"], [called, "(down)"]);
    }
  }
  // When all is up, nothing more need happen.
  step(END_NAME, ...services.map((_, i) => [i, "(settled)"] as const));
  if (replaced !== undefined) {
    // Those that restart with it are stopped before it is replaced.
    const stopped = services.filter(
      ({ name, dependencies }) =>
        name === replaced || dependencies.some(({ service, restarts }) => restarts && service === replaced),
    );
    const moves = services.map(
      (service, i) => [i, stopped.includes(service) ? "stop" : "(settled)"] as const,
    );
    step(`replace ${replaced}`, ...moves, [change, "replace"]);
  }
  const parts: NetworkPart[] = [
    ...services.map((service) => partFor(service)),
    counter("crashes", "crash", crashes),
    counter("replacements", "replace", 1),
  ];
  return {
    network: { name: "compose", parts, vectors: vectorsOf(steps, parts), span },
    errors,
    controls: new Set(
      steps.flatMap(({ label }) => (/^(?:start|restart|replace) /.test(label) ? [label] : [])),
    ),
  };
}

function partFor({ name, isJob, hasHealthCheck, isReadyAtOnce, restart, span }: ComposeService): NetworkPart {
  const builder = new LtsBuilder();
  const add = (from: State, label: string, to: State): void =>
    builder.add(states.indexOf(from), builder.labels.of(label), states.indexOf(to));
  const where = (label: string, these: readonly State[]): void => {
    for (const state of these) add(state, label, state);
  };
  const first: State = isReadyAtOnce && !isJob ? "ready" : "starting";
  add("created", "start", first);
  add("stopped", "again", first);
  add("down", "restart", first);
  if (isJob) {
    add("starting", "complete", "completed");
    add("starting", "fail", restart === "no" ? "failed" : "down");
    if (restart === "limited") add("down", "give up", "failed");
    // sound: test/compile/services.test.ts
    if (restart === "always") add("completed", "restart", "starting");
  } else {
    add("starting", hasHealthCheck ? "healthy" : "ready", "ready");
    if (hasHealthCheck) {
      add("starting", "unhealthy", "unhealthy");
      add("unhealthy", "healthy", "ready");
    }
    for (const state of RUNNING) {
      if (restart !== "no") add(state, "crash", "down");
      if (restart === "no" || restart === "limited") add(state, "crash for good", "failed");
    }
  }
  const settled: State = isJob ? "completed" : "ready";
  for (const state of [...RUNNING, "completed"] as const) add(state, "stop", "stopped");
  where("(started)", ["starting", "ready", "unhealthy", "completed", "failed", "down"]);
  if (hasHealthCheck) where("(healthy)", ["ready"]);
  where("(completed)", ["completed"]);
  where("(failed)", ["failed"]);
  where("(running)", isJob ? ["starting"] : RUNNING);
  where("(settled)", [settled]);
  where("(ready)", [settled]);
  // A job that is tried again has not completed yet.
  where("(early)", isJob ? ["created", "starting", "down"] : ["created", "starting", "unhealthy"]);
  where("(down)", isJob ? ["failed", "stopped"] : ["failed", "down", "stopped"]);
  const lts = builder.finish(states.length, [0]);
  const numbers = new Int32Array(lts.targets.length);
  return { name, lts: { ...lts, origins: { numbers, spansOf: () => [span] } }, states };
}

/** Allows a step `most` times. */
function counter(name: string, label: string, most: number): NetworkPart {
  const builder = new LtsBuilder();
  for (let i = 0; i < most; i++) builder.add(i, builder.labels.of(label), i + 1);
  return { name, lts: builder.finish(most + 1, [0]), owner: "" };
}

/** Without those that some part can never join. */
function vectorsOf(
  steps: readonly { readonly label: string; readonly moves: Moves }[],
  parts: readonly NetworkPart[],
): SyncVector[] {
  return steps.flatMap(({ label, moves }) => {
    const isPossible = [...moves].every(([part, own]) => parts[part]?.lts.labels.includes(own) === true);
    return isPossible ? [{ label, labels: parts.map((_, part) => moves.get(part)) }] : [];
  });
}

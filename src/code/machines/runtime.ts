/**
 * XState machines as a system of nodes: a node for each machine, an action for each event from outside and each result of a promise. Runs
 * inside realms, with the user's code and the user's XState.
 *
 * Read `session.ts` first (one step), then `discovery.ts` (machines, events and promises of a file).
 */
import type {
  Action,
  Data,
  Environment,
  Node,
  SystemDefinition,
  SystemFile,
  SystemView,
} from "../system/define.js";
import { ofXState } from "./caches.js";
import type { MachineView } from "./define.js";
import { findMachines, functionsIn, type Input, type Plan, type Result, type Settling } from "./discovery.js";
import { Session, type CreateActor, type Delay, type Persisted } from "./session.js";

/** The file as a system; undefined: it exports no machines. */
export function machineSystem(
  file: Readonly<Record<string, unknown>>,
  createActor: CreateActor,
): (SystemFile & { readonly outside: unknown }) | undefined {
  const plan = findMachines(file);
  if (!plan) return undefined;
  known = stepsOf(plan, createActor);
  const logic = { getInitialSnapshot: () => ({ status: "active" }), transition: (state: unknown) => state };
  const { options } = createActor(logic, {}) as unknown as { readonly options: unknown };
  return {
    everypath: "system",
    takesParameters: false,
    define: () => systemOf(plan) as unknown as SystemDefinition,
    // Definitions and constants of XState belong to no state.
    outside: {
      functions: functionsIn(Object.values(plan.machines)),
      plan,
      steps: known,
      options,
      ofXState,
      AbortController,
      AbortSignal,
    },
  };
}

/** Set once, when the file is loaded; no part of a state. */
let known: Steps | undefined;

function steps(): Steps {
  if (!known) throw new Error("internal error: the machines are not loaded");
  return known;
}

/** A machine in a state. */
class MachineNode implements Node, MachineView {
  status: MachineView["status"] = "active";
  value: unknown = undefined;
  context: unknown = undefined;
  /** The rest of the snapshot: history, children, output. */
  rest: Readonly<Record<string, unknown>> = {};
  delays: readonly Delay[] = [];
  /** Keys of inputs that have an effect. */
  accepts: readonly string[] = [];
  readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
    // Traces show the value and the context.
    for (const name of ["status", "rest", "delays", "accepts"])
      Object.defineProperty(this, name, { enumerable: false, writable: true, configurable: true });
  }

  onStart(): void {
    this.#keep(steps().start(this.environment));
  }

  onMessage(_from: string, event: never): void {
    if (this.status === "active") this.#step((session) => session.actor.send(event));
  }

  onTimer(name: string): void {
    this.#step((session) => session.fire(name));
  }

  take({ event }: Input): void {
    this.#step((session) => session.actor.send(event()));
  }

  /** Lets a promise of the source end. */
  settle({ src }: Settling, { event, advice }: Result): void {
    this.#step((session) =>
      session.settle(this.environment.chooseFrom(session.actorsOf(src)), event(), advice),
    );
  }

  #step(act: (session: Session) => void): void {
    const { status, value, context, rest, delays } = this;
    const snapshot = { ...rest, status, value, context } as Persisted;
    const session = steps().revive(this.environment, { snapshot, delays });
    act(session);
    this.#keep(session);
  }

  #keep(session: Session): void {
    const { snapshot, delays } = session.store(this.delays);
    const { status, value, context, ...rest } = snapshot;
    this.status = status as MachineView["status"];
    this.value = value;
    this.context = context;
    this.rest = rest;
    this.delays = delays;
    this.accepts = status === "active" ? steps().acceptedBy(this.environment, session) : [];
  }
}

interface Steps {
  start(environment: Environment): Session;
  revive(environment: Environment, stored: { snapshot: Persisted; delays: readonly Delay[] }): Session;
  acceptedBy(environment: Environment, session: Session): string[];
}

function stepsOf(plan: Plan, createActor: CreateActor): Steps {
  const machineOf = ({ name }: Environment): object => plan.machines[name]!;
  return {
    start: (environment) =>
      new Session(createActor, machineOf(environment), environment, { input: plan.input[environment.name] }),
    revive: (environment, stored) =>
      new Session(createActor, machineOf(environment), environment, { stored }),
    acceptedBy: ({ name }, session) => [
      ...(plan.events[name] ?? [])
        .filter(({ event }) => session.actor.getSnapshot().can?.(event()) === true)
        .map(({ key }) => key),
      ...(plan.settling[name] ?? [])
        .filter(({ src }) => session.actorsOf(src).length > 0)
        .map(({ key }) => key),
    ],
  };
}

function systemOf(plan: Plan): SystemDefinition<MachineNode> {
  const { always, sometimes, eventually, recoverable } = plan.conditions;
  return {
    nodes: Object.fromEntries(
      Object.keys(plan.machines).map((name) => [
        name,
        (environment: Environment) => new MachineNode(environment),
      ]),
    ),
    network: { order: "fifo" },
    fieldValues: plan.fieldValues,
    // An event that a machine takes and that changes nothing is visible outside: another machine may refuse it.
    loopsProgress: true,
    timers: plan.delays,
    actions: { ...eventActions(plan), ...settlingActions(plan) },
    ...(always ? { always } : {}),
    ...(sometimes ? { sometimes } : {}),
    ...(eventually ? { eventually } : {}),
    ...(recoverable ? { recoverable } : {}),
    finished: (world: SystemView<MachineNode>) =>
      world.names.every((name) => isAtRest(world.nodes[name]!, plan.mayStop[name])),
  };
}

/** An action for each type of event; named after the machine as well where several take it. */
function eventActions({ events }: Plan): Record<string, Action<MachineNode>> {
  const all = Object.entries(events).flatMap(([machine, inputs]) =>
    inputs.map((input) => ({ machine, input })),
  );
  const isShared = ({ type }: Input): boolean =>
    new Set(all.filter(({ input }) => input.type === type).map(({ machine }) => machine)).size > 1;
  const actions: Record<string, Action<MachineNode>> = {};
  for (const { machine, input } of all) {
    const name = isShared(input) ? `${input.type} to ${machine}` : input.type;
    const same = all
      .filter((each) => each.machine === machine && each.input.type === input.type)
      .map((each) => each.input);
    const chosen = (payload: Data): Input => same.find((each) => sameData(each.payload, payload))!;
    actions[name] = {
      on: machine,
      ...(same.some(({ payload }) => payload !== null) ? { values: same.map(({ payload }) => payload) } : {}),
      when: (node: MachineNode, payload: Data) => node.accepts.includes(chosen(payload ?? null).key),
      run: (node: MachineNode, payload: Data) => node.take(chosen(payload ?? null)),
    } as Action<MachineNode>;
  }
  return actions;
}

function settlingActions({ settling }: Plan): Record<string, Action<MachineNode>> {
  const actions: Record<string, Action<MachineNode>> = {};
  for (const [machine, all] of Object.entries(settling))
    for (const each of all)
      for (const [how, results] of Object.entries(each.results)) {
        if (results.length === 0) continue;
        const name = `${each.label} ${how}`;
        const isTaken = name in actions;
        actions[isTaken ? `${name} in ${machine}` : name] = {
          on: machine,
          ...(results.length > 1 || results[0]!.shown !== null
            ? { values: results.map(({ shown }) => shown) }
            : {}),
          when: (node: MachineNode) => node.accepts.includes(each.key),
          run: (node: MachineNode, shown: Data) => {
            const result = results.find((candidate) => sameData(candidate.shown, shown ?? null))!;
            node.settle(each, result);
          },
        } as Action<MachineNode>;
      }
  return actions;
}

const sameData = (a: Data, b: Data): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Final, or in a state that the file lists. */
function isAtRest({ status, value }: MachineNode, mayStop: readonly string[] = []): boolean {
  return status === "done" || mayStop.some((state) => isIn(value, state.split(".")));
}

function isIn(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (typeof value === "string") return value === first && rest.length === 0;
  if (typeof value !== "object" || value === null || !(first in value)) return false;
  return isIn((value as Record<string, unknown>)[first], rest);
}

/**
 * One step of a machine by XState's own actors: revives the actor from its stored snapshot, lets it act, and stores it again. Runs
 * inside realms.
 *
 * The actor system is ours: it has no clock, so delays become choices, and its session numbers do not grow. Everything else (microsteps, guards,
 * actions, children, mailboxes within one machine) is XState's.
 */
import type { Data, Environment } from "../system/define.js";
import { copyData, undeclared } from "./data.js";

/** The parts of XState's actors that the checker uses; equal in all versions 5. */
export interface Actor {
  readonly id: string;
  readonly sessionId: string;
  readonly src: unknown;
  start(): void;
  send(event: object): void;
  _send(event: object): void;
  getSnapshot(): Snapshot;
  getPersistedSnapshot(): Persisted;
}

export interface Snapshot {
  readonly status: "active" | "done" | "error" | "stopped";
  readonly error?: unknown;
  readonly children?: Readonly<Record<string, Actor>>;
  can?(event: object): boolean;
  readonly machine?: { getTransitionData(snapshot: Snapshot, event: object): readonly unknown[] };
}

/** A stored snapshot. */
export interface Persisted {
  readonly status: Snapshot["status"];
  readonly value?: unknown;
  readonly context?: unknown;
  readonly children?: Readonly<Record<string, { readonly snapshot: Persisted; readonly src: unknown }>>;
}

/** A delayed event that waits; actors are given by the ids on the way from the root, or by the name of another machine. */
export interface Delay {
  readonly name: string;
  readonly id: string;
  readonly source: readonly string[];
  readonly target: readonly string[] | string;
  readonly event: { readonly type: string };
}

export type CreateActor = (logic: object, options: object) => Actor;

interface Scheduled extends Omit<Delay, "source" | "target" | "name"> {
  readonly name?: string;
  readonly source: Actor;
  readonly target: Actor;
  readonly delayMs: number;
  readonly isNew: boolean;
}

export interface Stored {
  readonly snapshot: Persisted;
  readonly delays: readonly Delay[];
}

export class Session {
  readonly actor: Actor;
  readonly #name: string;
  readonly #environment: Environment;
  readonly #others = new Map<string, Actor>();
  #scheduled: Scheduled[] = [];
  readonly #keyed = new Map<string, Actor>();
  readonly #ids: Set<string>;
  #sessions = 0;
  #unread: { readonly actor: Actor; readonly advice: string } | undefined;

  constructor(
    createActor: CreateActor,
    machine: object,
    environment: Environment,
    how: { readonly input: Data | undefined } | { readonly stored: Stored },
  ) {
    this.#name = environment.name;
    this.#environment = environment;
    for (const name of environment.nodes) if (name !== environment.name) this.#addOther(name);
    const stored = "stored" in how ? how.stored : undefined;
    this.#ids = new Set(stored ? idsIn(stored.snapshot) : []);
    const common = { id: environment.name, parent: this.#parent() };
    const rest = stored
      ? { snapshot: copyData(stored.snapshot, environment.name) }
      : { input: (how as { input: Data | undefined }).input };
    this.actor = createActor(machine, { ...common, ...rest });
    this.actor.start();
    for (const { name, id, source, target, event } of stored?.delays ?? [])
      this.#scheduled.push({
        name,
        id,
        source: this.#actorAt(source),
        target: typeof target === "string" ? this.#other(target) : this.#actorAt(target),
        event: copyData(event, "a delayed event"),
        delayMs: 0,
        isNew: false,
      });
  }

  /** Ends the delay of that name. */
  fire(name: string): void {
    const due = this.#scheduled.find((each) => each.name === name);
    if (!due) throw new Error(`internal error: there is no delay '${name}'`);
    this.#scheduled = this.#scheduled.filter((each) => each !== due);
    due.target._send(due.event);
  }

  /** Ends a promise. With `advice`, its result is not known: the machine may take the event, but not read the result. */
  settle(actor: Actor, event: object, advice: string | undefined): void {
    this.#unread = advice === undefined ? undefined : { actor, advice };
    actor.send(event);
    this.#unread = undefined;
  }

  /** Active actors of a source, in the whole tree. */
  actorsOf(src: string): Actor[] {
    return descendants(this.actor).filter(
      (each) => each.src === src && each.getSnapshot().status === "active",
    );
  }

  /** The state after the step. Sets and clears the timers of the environment. */
  store(before: readonly Delay[]): Stored {
    const snapshot = this.actor.getSnapshot();
    if (snapshot.status === "error") throw snapshot.error;
    const persisted = this.actor.getPersistedSnapshot();
    return { snapshot: copyData(withoutNothing(persisted), this.#name), delays: this.#storeDelays(before) };
  }

  #storeDelays(before: readonly Delay[]): Delay[] {
    const names = new Set(this.#scheduled.flatMap(({ name }) => (name === undefined ? [] : [name])));
    for (const { name } of before) if (!names.has(name)) this.#environment.clearTimer(name);
    return this.#scheduled.map(({ name: known, id, source, target, event, delayMs, isNew }) => {
      const name = known ?? unused(delayName(event), names);
      names.add(name);
      if (isNew) this.#environment.setTimer(name, delayMs);
      const to = [...this.#others].find(([, other]) => other === target)?.[0] ?? this.#pathOf(target);
      return {
        name,
        id,
        source: this.#pathOf(source),
        target: to,
        event: copyData(event, "a delayed event"),
      };
    });
  }

  /** Another machine, as an actor: receives events through the network. */
  #addOther(name: string): void {
    const send = (event: object): void => this.#environment.send(name, event as Data);
    const other = { id: name, sessionId: name, src: name, send, _send: send } as unknown as Actor;
    this.#others.set(name, other);
    this.#keyed.set(name, other);
  }

  #other(name: string): Actor {
    const found = this.#others.get(name);
    if (!found) throw new Error(`internal error: there is no machine '${name}'`);
    return found;
  }

  /** XState gives actors with a parent the parent's system. It learns that the machine is done or has failed; the snapshot has both. */
  #parent(): object {
    const receive = ({ type }: { readonly type: string }): void => {
      if (type.startsWith("xstate.done.actor.") || type.startsWith("xstate.error.actor.")) return;
      throw new Error(`Unable to send event '${type}' to the parent of '${this.#name}': it has no parent`);
    };
    return { id: "everypath", sessionId: "everypath", system: this.#system(), _send: receive, send: receive };
  }

  #system(): object {
    const scheduler = {
      schedule: (source: Actor, target: Actor, event: Delay["event"], delayMs: number, id?: string) => {
        const known = id ?? unused("delayed", new Set(this.#scheduled.map((each) => each.id)));
        this.#scheduled = this.#scheduled.filter((each) => each.source !== source || each.id !== known);
        this.#scheduled.push({ id: known, source, target, event, delayMs, isNew: true });
      },
      cancel: (source: Actor, id: string) => {
        this.#scheduled = this.#scheduled.filter((each) => each.source !== source || each.id !== id); // sound: test/code/machines/runtime.test.ts
      },
      cancelAll: (source: Actor) => {
        this.#scheduled = this.#scheduled.filter((each) => each.source !== source); // sound: test/code/machines/runtime.test.ts
      },
    };
    const keyed = this.#keyed;
    return {
      _snapshot: { _scheduledEvents: {} },
      _bookId: () => this.#nextSession(),
      _register: (id: string) => id,
      _unregister: (actor: Actor) => {
        for (const [key, held] of keyed) if (held === actor) keyed.delete(key);
      },
      _set: (key: string, actor: Actor) => {
        const held = keyed.get(key);
        if (held && held !== actor) throw new Error(`Actor with system ID '${key}' already exists.`);
        keyed.set(key, actor);
      },
      get: (key: string) => keyed.get(key),
      getAll: () => Object.fromEntries(keyed),
      inspect: () => ({ unsubscribe: () => undefined }),
      _sendInspectionEvent: () => undefined,
      _relay: (source: Actor | undefined, target: Actor, event: { readonly type: string }) =>
        target._send(
          this.#unread && this.#unread.actor === source ? unread(event, target, this.#unread.advice) : event,
        ),
      scheduler,
      getSnapshot: () => ({ _scheduledEvents: {} }),
      start: () => undefined,
      _clock: { setTimeout: () => undefined, clearTimeout: () => undefined },
      // eslint-disable-next-line no-console -- the realm's console, which keeps the output with the step
      _logger: (...values: unknown[]) => console.log(...values),
    };
  }

  /** Reuses the numbers of actors that are gone: they name actors without an id, and would make every state new. */
  #nextSession(): string {
    for (;;) {
      const id = `x:${this.#sessions++}`;
      if (!this.#ids.has(id)) return id; // sound: test/code/machines/runtime.test.ts
    }
  }

  #actorAt(path: readonly string[]): Actor {
    return path.reduce((at, id) => {
      const child = at.getSnapshot().children?.[id];
      if (!child) throw new Error(`internal error: there is no actor '${path.join(".")}'`);
      return child;
    }, this.actor);
  }

  #pathOf(actor: Actor): string[] {
    const found = pathIn(this.actor, actor);
    if (!found) throw new Error(`a delayed event is for the actor '${actor.id}', which is not in the system`);
    return found;
  }
}

/** The event without the result. A machine that does not handle an error fails by it, whatever it is. */
function unread(event: { readonly type: string }, target: Actor, advice: string): object {
  const { type, actorId } = event as { readonly type: string; readonly actorId?: string };
  const bare = undeclared(actorId === undefined ? { type } : ({ type, actorId } as { type: string }), advice);
  if (!type.startsWith("xstate.error.actor.")) return bare;
  const snapshot = target.getSnapshot();
  const isHandled = (snapshot.machine?.getTransitionData(snapshot, bare).length ?? 0) > 0;
  return isHandled
    ? bare
    : { ...event, error: new Error(`'${actorId ?? type}' fails, and no transition handles it`) };
}

function pathIn(from: Actor, wanted: Actor): string[] | undefined {
  if (from === wanted) return [];
  for (const [id, child] of Object.entries(from.getSnapshot().children ?? {})) {
    const rest = pathIn(child, wanted);
    if (rest) return [id, ...rest];
  }
  return undefined;
}

const descendants = (actor: Actor): Actor[] =>
  Object.values(actor.getSnapshot().children ?? {}).flatMap((child) => [child, ...descendants(child)]);

const idsIn = ({ children = {} }: Persisted): string[] =>
  Object.entries(children).flatMap(([id, { snapshot }]) => [id, ...idsIn(snapshot)]);

/** `xstate.after.1000.checkout.paying` reads `after 1000 in paying`: two versions of a machine may have different ids. */
function delayName({ type }: { readonly type: string }): string {
  const after = /^xstate\.after\.([^.]+)\.[^.]*(?:\.(.*))?$/.exec(type);
  if (!after) return type;
  return after[2] === undefined ? `after ${after[1]}` : `after ${after[1]} in ${after[2]}`;
}

function unused(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) if (!taken.has(`${name} (${n})`)) return `${name} (${n})`;
}

/** Fields that XState sets to undefined would distinguish a revived snapshot from a first one. */
const withoutNothing = (snapshot: Persisted): Persisted =>
  Object.fromEntries(
    Object.entries(snapshot).filter(([, value]) => value !== undefined),
  ) as unknown as Persisted;

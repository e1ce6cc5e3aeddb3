/** A random case as a system file; `-D CASE` gives the case as JSON. */
import { defineSystem, type Environment, type SystemDefinition, type SystemView } from "everypath/system";
import type { Case, Condition, Field, Op, Table, Term, Who } from "./case.js";

interface Message {
  readonly k: string;
  readonly v?: number;
  readonly who?: string;
}

/** A node's memory, in different representations. */
interface Memory {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

class FieldMemory implements Memory {
  mode = 0;
  x = 0;
  y = 0;
  peer = "";
  fuel = 0;
  get(key: string): unknown {
    return this[key as "x"];
  }
  set(key: string, value: unknown): void {
    this[key as "x"] = value as number;
  }
}

class HiddenMemory implements Memory {
  #all: [string, unknown][] = [];
  get(key: string): unknown {
    return this.#all.find(([name]) => name === key)?.[1];
  }
  set(key: string, value: unknown): void {
    const at = this.#all.findIndex(([name]) => name === key);
    if (at < 0) this.#all.push([key, value]);
    else this.#all[at] = [key, value];
  }
}

let ofModule: Record<string, unknown> = {};
const moduleMemory: Memory = {
  get: (key) => ofModule[key],
  set: (key, value) => void (ofModule = { ...ofModule, [key]: value }),
};

function memoryOf(style: Case["style"]): Memory {
  switch (style) {
    case "fields":
      return new FieldMemory();
    case "map":
      return new Map<string, unknown>();
    case "hidden":
      return new HiddenMemory();
    case "module":
      ofModule = {};
      return moduleMemory;
  }
}

class Player {
  readonly #table: Table;
  readonly #e: Environment;
  readonly memory: Memory;
  /** Conditions see copies, which have no modules behind them, and all their fields count. */
  mode: unknown;
  x: unknown;
  y: unknown;
  peer: unknown;

  constructor(e: Environment, table: Table, fuel: number, style: Case["style"]) {
    this.#e = e;
    this.#table = table;
    this.memory = memoryOf(style);
    for (const field of ["mode", "x", "y"]) this.memory.set(field, 0);
    this.memory.set("peer", "");
    this.memory.set("fuel", fuel);
    this.#show();
  }

  onStart(): unknown {
    return this.react("start", this.#e.name, undefined);
  }

  onMessage(from: string, message: Message): unknown {
    return this.react(message.k, from, message);
  }

  onTimer(name: string): unknown {
    return this.react(name, this.#e.name, undefined);
  }

  go(): unknown {
    return this.react("go", this.#e.name, undefined);
  }

  react(what: string, sender: string, message: Message | undefined): unknown {
    const ops = this.#table[`${what}${String(this.memory.get("mode"))}`] ?? [];
    const fuel = this.memory.get("fuel") as number;
    if (ops.length === 0 || fuel === 0) return undefined;
    if (fuel > 0) this.memory.set("fuel", fuel - 1);
    if (ops.some(({ op }) => op === "await")) return this.#later(ops, sender, message);
    this.#run(ops, sender, message);
    return this.#show();
  }

  async #later(ops: readonly Op[], sender: string, message: Message | undefined): Promise<void> {
    for (const op of ops) {
      if (op.op === "await") await Promise.resolve();
      else this.#run([op], sender, message);
    }
    this.#show();
  }

  #show(): void {
    for (const key of ["mode", "x", "y", "peer"] as const) this[key] = this.memory.get(key);
  }

  #run(ops: readonly Op[], sender: string, message: Message | undefined): void {
    for (const op of ops) this.#do(op, sender, message);
  }

  #do(op: Op, sender: string, message: Message | undefined): void {
    const { memory } = this;
    const e = this.#e;
    switch (op.op) {
      case "set":
        return memory.set(op.field, op.value);
      case "next":
        return memory.set(op.field, ((memory.get(op.field) as number) + 1) % 3);
      case "remember":
        return memory.set("peer", op.whom === "sender" ? sender : (message?.who ?? ""));
      case "send":
        return this.#send(op.to, sender, {
          k: op.kind,
          ...(op.with === "x" ? { v: memory.get("x") as number } : {}),
          ...(op.with === "self" ? { who: e.name } : {}),
          ...(op.with === "peer" ? { who: memory.get("peer") as string } : {}),
        });
      case "write":
        return e.disk.write(op.key, op.value === "x" ? (memory.get("x") as number) : op.value);
      case "sync":
        return e.disk.sync();
      case "read":
        return memory.set(op.field, e.disk.read(op.key) ?? 0);
      case "timer":
        return e.setTimer(op.name, op.delay);
      case "clear":
        return e.clearTimer(op.name);
      case "choose":
        return this.#run(op.ways[e.choose(op.ways.length)]!, sender, message);
      case "fails":
        return e.fails("pool") ? this.#run(op.then, sender, message) : undefined;
      case "if":
        return memory.get(op.field) === op.is ? this.#run(op.then, sender, message) : undefined;
      case "throw":
        // As `node:assert` does, which would be a part of every node.
        throw op.asserts ? Object.assign(new Error("wrong"), { name: "AssertionError" }) : new Error("bad");
      case "await":
    }
  }

  #send(to: Who, sender: string, message: Message): void {
    const e = this.#e;
    if (to === "everyone") return e.broadcast({ ...message });
    const peer = this.memory.get("peer") as string;
    if (to === "peer" && peer === "") return;
    const one = to === "sender" ? sender : to === "peer" ? peer : to === "others" ? undefined : to.name;
    e.send(one ?? e.nodes.filter((name) => name !== e.name), { ...message });
  }
}

type View = SystemView<Player>;

const valueOf = ({ nodes }: View, name: string, field: Field | "peer"): unknown => nodes[name]?.[field];

function isTrue(term: Term, view: View): boolean {
  if ("underWay" in term) return view.network.some(({ message }) => (message as Message).k === term.underWay);
  if ("down" in term) return !view.isUp(term.down);
  if ("node" in term) return valueOf(view, term.node, term.field) === term.is;
  if ("remembers" in term)
    return term.among.some(
      (name) => view.isUp(name) && (valueOf(view, name, "peer") !== "") === term.remembers,
    );
  return term.among.filter((name) => valueOf(view, name, term.field) === term.is).length > term.moreThan;
}

const holds =
  (condition: Condition) =>
  (view: View): boolean =>
    !condition.every((term) => isTrue(term, view));

export default defineSystem<Player>((parameters) => {
  const c = JSON.parse(parameters["CASE"] as string) as Case;
  const one = (name: string, condition: Condition | undefined): object =>
    condition ? { [name]: { [name]: holds(condition) } } : {};
  return {
    nodes: Object.fromEntries(
      c.names.map((name) => [name, (e: Environment) => new Player(e, c.tables[name]!, c.fuel, c.style)]),
    ),
    network: c.network,
    faults: c.faults,
    timers: c.timers,
    ...(c.symmetric ? { symmetric: [c.symmetric] } : {}),
    ...(c.discards ? { discard: ({ x, y }: Player) => x === 2 && y === 2 } : {}),
    ...(c.go
      ? {
          actions: {
            go: {
              ...(c.go.on ? { on: c.go.on } : {}),
              ...(c.go.when === undefined ? {} : { when: ({ mode }: Player) => mode === c.go!.when }),
              times: c.go.times,
              run: (node: Player) => node.go(),
            },
          },
        }
      : {}),
    messages: Object.fromEntries(
      c.messages.map((bad, i) => [
        `message ${i}`,
        ({ k, v }: Message) => k !== bad.kind || (bad.with !== undefined && v !== bad.with),
      ]),
    ),
    ...(c.finished ? { finished: holds(c.finished) } : {}),
    ...one("always", c.always),
    ...one("sometimes", c.sometimes),
    ...one("eventually", c.eventually),
    ...one("recoverable", c.recoverable),
    ...one("returns", c.returns),
  } as SystemDefinition<Player>;
});

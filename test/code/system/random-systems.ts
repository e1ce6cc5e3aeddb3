/**
 * Random systems of nodes, written as tables of what each node does in each of its modes when something happens: what is sent to whom,
 * which timers are set, what goes wrong. With a network and faults of any kind, and conditions that look at some fields of some nodes.
 */
export function randomSystem(seed: number): string {
  const draw = new Draw(seed);
  const names = NAMES.slice(0, draw.of([2, 3, 3, 4]));
  const isSparse = !draw.chance(3);
  const friends = new Map(names.map((name) => [name, isSparse ? [draw.of(names)] : names]));
  const tables = names.map((name) => [name, tableOf(draw, friends.get(name)!)]);
  const fuel = draw.chance(2) ? draw.from(1, 3) : -1;
  const parts = [
    networkOf(draw, names, fuel < 0),
    faultsOf(draw, names),
    actionsOf(draw, names),
    draw.chance(2) ? `finished: ({ nodes }) => ${condition(draw, names)},` : "",
    draw.chance(4) ? `discard: (n) => n.x === 2 && n.y === 2,` : "",
    draw.chance(3) ? `always: { p: ({ nodes }) => ${condition(draw, names)} },` : "",
    draw.chance(3) ? `sometimes: { c: ({ nodes }) => !(${condition(draw, names)}) },` : "",
    draw.chance(4)
      ? `messages: { m: (m, from) => m !== "${draw.of(KINDS)}" || from !== "${draw.of(names)}" },`
      : "",
    draw.chance(4) ? `timers: "in-order",` : "",
  ];
  return `${CODE}
const TABLES: any = ${JSON.stringify(Object.fromEntries(tables))};
const make = (e: Environment) => new Player(e, TABLES[e.name], ${fuel});
export default defineSystem<any>({
  nodes: { ${names.map((name) => `${name}: make`).join(", ")} },
  ${parts.filter((part) => part !== "").join("\n  ")}
});`;
}

const NAMES = ["a", "b", "c", "d"];
const KINDS = ["m", "n"];

/** `rows` are looked up by what happens and by the node's mode. */
const CODE = `
class Player {
  mode = 0; x = 0; y = 0;
  constructor(readonly e: Environment, readonly table: any, public fuel: number) { const x = e.disk.read("x"); if (x !== undefined) this.x = x as number; }
  get sum() { return this.x + this.y; }
  isLate() { return this.mode === 2; }
  onStart() { this.react("start"); }
  onMessage(from: string, m: any) { this.react(m); }
  onTimer(name: string) { this.react(name); }
  react(what: string) {
    const rows = this.table[what + this.mode] ?? [];
    if (rows.length === 0 || this.fuel === 0) return;
    if (this.fuel > 0) this.fuel--;
    const row = rows.length > 1 && what !== "start" ? rows[this.e.choose(rows.length)] : rows[0];
    if (row.fails && this.e.fails("pool")) { this.x = 2; return; }
    this.mode = row.mode ?? this.mode; this.x = row.x ?? this.x; this.y = row.y ?? this.y;
    if (row.writes) { this.e.disk.write("x", this.x); if (row.syncs) this.e.disk.sync(); }
    for (const [to, kind] of row.sends) this.e.send(to, kind);
    if (row.casts) this.e.broadcast(row.casts);
    if (row.timer) this.e.setTimer(row.timer, row.delay);
    if (row.throws) throw new Error("bad");
  }
}`;

function tableOf(draw: Draw, friends: readonly string[]): Record<string, unknown[]> {
  const table: Record<string, unknown[]> = {};
  for (const what of ["start", "m", "n", "t", "u", "go"])
    for (let mode = 0; mode < 3; mode++)
      if (mode === 0 || draw.chance(2))
        table[`${what}${mode}`] = Array.from({ length: draw.chance(5) ? 2 : 1 }, () => rowOf(draw, friends));
  return table;
}

const rowOf = (draw: Draw, friends: readonly string[]): unknown => ({
  ...(draw.chance(2) ? { mode: draw.from(0, 2) } : {}),
  ...(draw.chance(3) ? { x: draw.from(0, 2) } : {}),
  ...(draw.chance(3) ? { y: draw.from(0, 2) } : {}),
  sends: draw.chance(2) ? [[draw.of(friends), draw.of(KINDS)]] : [],
  ...(draw.chance(14) ? { casts: draw.of(KINDS) } : {}),
  ...(draw.chance(3) ? { timer: draw.of(["t", "u"]), delay: draw.from(0, 2) } : {}),
  ...(draw.chance(25) ? { throws: true } : {}),
  ...(draw.chance(6) ? { fails: true } : {}),
  ...(draw.chance(6) ? { writes: true, syncs: draw.chance(2) } : {}),
});

/** Where nodes never tire, there must be an end to what they send. */
function networkOf(draw: Draw, names: readonly string[], mustEnd: boolean): string {
  const parts = [
    mustEnd || draw.chance(6) ? `capacity: ${draw.from(2, 4)}` : "",
    draw.chance(5) ? `loss: ${draw.of(["true", "1"])}` : "",
    draw.chance(6) ? "duplicates: 1" : "",
    draw.chance(3) ? 'order: "fifo"' : "",
    draw.chance(5)
      ? `links: [${names
          .slice(1)
          .map((name, i) => `["${names[i]}", "${name}"]`)
          .join(", ")}]`
      : "",
  ];
  return `network: { ${parts.filter((part) => part !== "").join(", ")} },`;
}

function faultsOf(draw: Draw, names: readonly string[]): string {
  const parts = [
    draw.chance(6) ? `crashes: 1${draw.chance(2) ? `, crashing: ["${draw.of(names)}"]` : ""}` : "",
    draw.chance(5) ? "failures: 1" : "",
    draw.chance(15) ? "partitions: 1" : "",
  ];
  return `faults: { ${parts.filter((part) => part !== "").join(", ")} },`;
}

function actionsOf(draw: Draw, names: readonly string[]): string {
  const on = draw.chance(4) ? "" : `on: "${draw.of(names)}", `;
  const when = draw.chance(3) ? `when: (n: any) => n.mode === ${draw.from(0, 2)}, ` : "";
  return `actions: { go: { ${on}${when}times: ${draw.from(1, 2)}, run: (n: any) => n.react("go") } },`;
}

/** Looks at little, and often at some of it only where something else is as it should be. */
function condition(draw: Draw, names: readonly string[]): string {
  const term = (): string => {
    const node = `nodes.${draw.of(names)}`;
    const value = draw.from(0, 2);
    switch (draw.from(0, 11)) {
      case 0:
        return `${node}?.sum === ${value + 1}`;
      case 1:
        return `${node}?.isLate() === true`;
      case 2:
        return `Object.values(nodes).filter((n: any) => n?.x === ${value}).length > 1`;
      case 3:
        return `${node} === undefined`;
      default:
        return `${node}?.${draw.of(["x", "y", "mode"])} === ${value}`;
    }
  };
  return `!(${term()} && ${term()}${draw.chance(2) ? ` && ${term()}` : ""})`;
}

class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
    for (let i = 0; i < 5; i++) this.#next();
  }

  from(low: number, high: number): number {
    return low + (this.#next() % (high - low + 1));
  }

  of<T>(all: readonly T[]): T {
    return all[this.from(0, all.length - 1)]!;
  }

  /** One time in so many. */
  chance(times: number): boolean {
    return this.#next() % times === 0;
  }

  /** mulberry32 */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }
}

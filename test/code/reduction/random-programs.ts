/** Random tests of async code, as text: tasks that wait and access shared data. */
export interface RandomProgram {
  readonly name: string;
  readonly text: string;
}

export function randomPrograms(seed: number, count: number): readonly RandomProgram[] {
  const draw = new Draw(seed);
  return Array.from({ length: count }, (_, index) => ({ name: `program ${index}`, text: program(draw) }));
}

/** Errors that random programs have found. */
export const regressions: readonly RandomProgram[] = [
  {
    name: "what the last of two turns asked for may come before what waits for both",
    text: `let y = 0;
      await Promise.all([world.pause(), (async () => { await world.pause(); setTimeout(() => { y = 3; }, 3); })()]);
      console.log("end " + y);`,
  },
  {
    name: "a timer is next only until another one is set",
    text: `let y = 0;
      await Promise.all([
        (async () => { await world.pause(); await world.sleep(1); })(),
        (async () => { await world.pause(); setTimeout(() => { y = 3; }, 2); })(),
      ]);
      console.log("end " + y);`,
  },
];

/** A file with all programs. */
export const fileOf = (programs: readonly RandomProgram[]): string =>
  [
    'import { everySchedule } from "everypath/code";',
    ...programs.map(
      ({ name, text }) => `everySchedule(${JSON.stringify(name)}, async (world) => {\n${text}\n});`,
    ),
  ].join("\n");

class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * n);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

/** Shared data, printed at the end. */
const prologue = `
  class Counter { #n = 0; static all = 0; bump(by) { this.#n += by; Counter.all++; return this.#n; } get value() { return this.#n; } }
  let x = 1, y = 0, a = 1, b = 2;
  const o = { n: 1, list: [] as number[], inner: { z: 0 } } as any, log: number[] = [], m = new Map<number, number>(), c = new Counter(), d = new Counter();
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => { open = resolve; });
  const ask = world.service("ask", (k: number) => x + k, { effect: "completion" });
  const tell = world.service("tell", (k: number) => void (y += k), { effect: "either" });
  const may = world.service("may", (k: number) => k, { effect: "call", fails: 1 });`;

const epilogue = `
  console.log("end " + JSON.stringify([x, y, a, b, o, log, [...m], c.value, d.value, Counter.all]));`;

const waits = [
  "world.pause()",
  "world.pause()",
  "world.pause()",
  "world.pause()",
  "ask(K)",
  "tell(K)",
  "may(K)",
  "world.sleep(K)",
  "gate",
  "null",
];

const touches = [
  "x = x * 2 + K;",
  "x += await ask(K);",
  "o.n = (o.n ?? 0) * 2 + K;",
  "o.inner.z += await ask(K);",
  "log.push(K);",
  "o.list.push(x);",
  "o?.list?.push(K);",
  "m.set(K, m.size);",
  "if (x > K) y++;",
  "c.bump(K);",
  "d.bump(c.value);",
  "[a, b] = [b, a + K];",
  "({ n: y = 0 } = o);",
  "delete o.n;",
  "open();",
  "for (const v of log) { await world.pause(); y = y * 3 + v; }",
  "mine += K; own.push(mine);",
  "mine += K; own.push(mine);",
  "a = own.length;",
  "const { inner: { z } } = o; b += z;",
  "setTimeout(() => { y = y * 2 + K; }, K);",
  "if (y > 3 * K) throw new Error(`too much: ${y}`);",
  "try { await may(K); } catch { x--; }",
  "Object.assign(o, { n: K });",
  "b = JSON.stringify(o).length;",
];

const joins = [
  "Promise.all",
  "Promise.all",
  "Promise.all",
  "Promise.allSettled",
  "Promise.race",
  "Promise.any",
];

function program(draw: Draw): string {
  const filled = (text: string): string => text.replaceAll("K", () => `${1 + draw.below(3)}`);
  const tasks = Array.from({ length: 2 + draw.below(2) }, () => {
    const steps = Array.from({ length: 1 + draw.below(2) }, () => {
      const touch = draw.below(5) === 0 ? "" : filled(draw.of(touches));
      return `await ${filled(draw.of(waits))}; ${touch}`;
    });
    return `    (async () => { let mine = 0; const own: number[] = []; { ${steps.join(" } { ")} } return mine; })(),`;
  });
  return [
    prologue,
    `  await ${draw.of(joins)}([`,
    ...tasks,
    "  ]).catch((e) => { y = -1; });",
    epilogue,
  ].join("\n");
}

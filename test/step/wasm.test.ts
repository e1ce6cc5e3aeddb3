/** Step code computes the same as WebAssembly and as JavaScript. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NotStepCode, StepMemory, StepText, instantiateStep } from "../../src/step/index.js";

type Functions = Record<string, (...values: number[]) => number>;

/** The functions of the text, both ways. */
function both(
  text: string,
  names: readonly string[],
  bindings: (allocate: (length: number) => Int32Array) => Record<string, unknown> = () => ({}),
): { readonly js: Functions; readonly wasm: Functions; readonly memory: StepMemory } {
  const plain = bindings((length) => new Int32Array(length));
  const make = new Function(...Object.keys(plain), `${text}\nreturn { ${names.join(", ")} };`);
  const js = make(...Object.values(plain)) as Functions;
  const memory = StepMemory.create(16)!;
  const shared = bindings((length) => memory.allocate(length)!);
  const { functions } = instantiateStep([new StepText(text, shared)], names, { memory });
  return { js, wasm: functions as Functions, memory };
}

function expectSame(text: string, calls: readonly (readonly number[])[]): void {
  const { js, wasm } = both(text, ["f"]);
  for (const values of calls)
    expect(wasm.f!(...values), `f(${values.join()})`).toBe(Number(js.f!(...values)));
}

const INTERESTING = [0, 1, -1, 2, 5, 31, 32, 33, 127, 128, 255, 65_535, 2 ** 31 - 1, -(2 ** 31), -7];
const pairs = INTERESTING.flatMap((a) => INTERESTING.map((b) => [a, b] as const));

describe("expressions", () => {
  const expressions = [
    ..."+ - & | ^ << >> >>>".split(" ").map((op) => `a ${op} b | 0`),
    "Math.imul(a, b)",
    "b === 0 ? 7 : a / b | 0",
    "a / -1 | 0",
    "a / 3 | 0",
    "b === 0 ? 7 : a % b | 0",
    ..."=== !== < <= > >=".split(" ").map((op) => `a ${op} b ? 1 : 0`),
    "a >>> 0 < 200 ? 1 : 0",
    "a >>> 0 > 5 ? 1 : 0",
    "200 >= a >>> 0 ? 1 : 0",
    "a >>> 1 < b ? 1 : 0",
    "a >>> b !== 0 ? 1 : 0",
    "!a && b !== 3 ? 1 : 0",
    "a === 1 || b === 1 ? 1 : 0",
    "~a | -b",
    "Math.max(a, b) - Math.min(a, b) | 0",
    "Math.clz32(a)",
    "(a === 0 ? b : a > 3 ? 4 : 5)",
    "1 + 2 * 3 - 4 | 0",
    "a & 255 | b << 8 & 65280",
  ];
  test.each(expressions)("%s", (text) => expectSame(`function f(a, b) { return ${text}; }`, pairs));

  test("assignments have values", () => {
    const text = `function f(a, b) {
      let x = a, y = 0;
      y = (x += b) + x++ + (++x) - x--;
      return (x ^ y) + (y -= 3) | 0;
    }`;
    expectSame(
      text,
      pairs.filter(([a, b]) => Math.abs(a) < 2 ** 20 && Math.abs(b) < 2 ** 20),
    );
  });

  test("of random shapes", () => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom("a", "b", "c", "7", "-3", "1"),
        fc
          .tuple(tie("tree"), fc.constantFrom("+", "-", "&", "|", "^", "<<", ">>"), tie("tree"))
          .map(([l, op, r]) => `(${l} ${op} ${r} | 0)`),
        fc.tuple(tie("tree"), tie("tree")).map(([l, r]) => `Math.imul(${l}, ${r})`),
        fc.tuple(tie("tree"), tie("tree"), tie("tree")).map(([t, l, r]) => `(${t} < ${l} ? ${l} : ${r})`),
        fc.tuple(tie("tree"), tie("tree")).map(([l, r]) => `(${l} === ${r} && !${l} || ${r} > 2 ? 1 : 0)`),
        tie("tree").map((t) => `(c = ${t})`),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.integer(), fc.integer(), (expr, a, b) =>
        expectSame(`function f(a, b) { let c = 5; return ${expr} ^ c; }`, [[a, b]]),
      ),
      { numRuns: 150 },
    );
  });
});

describe("statements", () => {
  test.each([
    ["a loop", "let n = 0; for (let i = 0; i < (a & 31); i++) { if (i === 3) continue; n += i; } return n;"],
    ["a loop without an end", "let n = 0; for (;;) { if (++n > (a & 15)) break; } return n;"],
    ["while", "let n = a & 63; while (n > 5) n -= 3; return n;"],
    [
      "labels",
      "let n = 0; outer: for (let i = 0; i < 5; i++) for (let j = 0; j < 5; j++) { if (j === i) continue outer; if (i === (a & 3)) break outer; n++; } return n;",
    ],
    ["a labelled block", "let n = 1; b: { if (a > 0) break b; n = 2; } return n;"],
    [
      "switch",
      "let n = 0; switch (a) { case 0: n = 1; break; case 5: n = 2; case 2: n += 10; break; case -1: return 9; default: n = 7; } return n;",
    ],
    [
      "switch without a default",
      "let n = 3; switch (a) { case 31: n = 4; break; case 33: { n = 5; } } return n;",
    ],
    [
      "switch inside a loop",
      "let n = 0; for (let i = 0; i < 4; i++) switch (i) { case 1: continue; case 2: n += 5; break; default: n++; } return n;",
    ],
    ["an early end", "if (a < 0) return 1; else if (a === 0) return 2; return 3;"],
    ["shadowed names", "let n = a; { let n = 3; n++; } for (let n = 0; n < 2; n++); return n;"],
  ])("%s", (_, body) => expectSame(`function f(a, b) { ${body} }`, pairs));
});

describe("memory", () => {
  test("arrays, tables and bytes", () => {
    const reached = new Uint8Array(8);
    const text = `const w = new Int32Array(6), t = Int32Array.of(5, 6, 7), deep = [[1, 2], [3, 4, 5]], copy = new Int32Array(w.length);
let total = 3;
w[5] = 40;
function f(a, at) {
  w[at] = a; w[at + 1] |= 3; w[at]++; total += w[at] += 2;
  seen[at] = 1;
  const row = deep[1];
  copy.fill(0, 1, 3);
  return total + t[at] + deep[1][2] + row.length + w.length + w[5] + (w[at] ^ row[0]) | 0;
}`;
    const memory = StepMemory.create(16)!;
    const { functions, keepBytes } = instantiateStep([new StepText(text, { seen: reached })], ["f"], {
      memory,
    });
    const js = new Function("seen", `${text}\nreturn f;`)(new Uint8Array(8)) as (
      a: number,
      at: number,
    ) => number;
    for (const [a, at] of [
      [9, 0],
      [-4, 2],
      [7, 1],
    ] as const)
      expect(functions.f!(a, at)).toBe(js(a, at));
    keepBytes();
    expect([...reached]).toEqual([1, 1, 1, 0, 0, 0, 0, 0]);
  });

  test("objects of the host", () => {
    const makeHost = (allocate: (length: number) => Int32Array) => {
      const first = allocate(4);
      const store = {
        count: 2,
        isFull: false,
        limit: Infinity,
        words: first,
        chunks: [first, allocate(2)],
        grow(by: number): boolean {
          this.count += by;
          this.words = allocate(8);
          this.chunks.push(allocate(3));
          this.words[1] = 70;
          return true;
        },
      };
      return { store };
    };
    const text = `function f(a) {
  const chunks = store.chunks, words = store.words;
  words[0] = a; chunks[1][1] = 5;
  let n = chunks.length + words[0] + chunks[0][0] + chunks[1][1];
  if (store.count < store.limit && store.grow(a)) { const grown = store.chunks, now = store.words; n = n * 10 + grown.length + now[1]; }
  store.isFull = true;
  return n * 100 + store.count++;
}`;
    const plain = makeHost((length) => new Int32Array(length));
    const js = new Function("store", `${text}\nreturn f;`)(plain.store) as (a: number) => number;
    const memory = StepMemory.create(16)!;
    const host = makeHost((length) => memory.allocate(length)!);
    const { functions } = instantiateStep([new StepText(text, host)], ["f"], { memory });
    for (const a of [3, 1, 2]) {
      expect(functions.f!(a)).toBe(js(a));
      expect(host.store.count).toBe(plain.store.count);
    }
    expect(host.store.isFull).toBe(true);
  });

  test("arrays are zero whether they are new or used before, and do not overlap", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ size: fc.nat(500), drop: fc.nat(9) }), { maxLength: 60 }), (steps) => {
        const memory = StepMemory.create(16)!;
        const held: Int32Array[] = [];
        for (const { size, drop } of steps) {
          const array = memory.allocate(size)!;
          expect(array.every((word) => word === 0)).toBe(true);
          expect(memory.words[memory.addressOf(array) - 1]).toBe(size);
          array.fill(held.length + 1);
          held.push(array);
          if (drop < 4 && held.length > drop) memory.free(held.splice(drop, 1)[0]!);
        }
        for (const array of held) expect(new Set(array).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("there is an end to it", () => {
    const memory = StepMemory.create(2)!;
    const array = memory.allocate(1 << 14)!;
    expect(array).toBeDefined();
    expect(memory.allocate(1 << 14)).toBeUndefined();
    memory.free(array);
    expect(memory.allocate(1 << 14)).toBeDefined();
  });
});

describe("what is not step code", () => {
  test.each([
    "function f(a) { return a / 2; }",
    "function f(a) { return a >>> 0 === 3; }",
    "function f(a) { return a >>> 0 !== 3; }",
    "function f(a) { return 0 === a >>> 0; }",
    "function f(a) { return `x`; }",
    "function f(a) { throw a; }",
    "function f(a) { return missing; }",
    "function f(a) { return g(a); }",
    "function f(a) { const x = new Int32Array(3); return x[0]; }",
    "function f(a) { switch (a) { case 0: return 1; case 99999999: return 2; } return 0; }",
    "const w = new Int32Array(3); function f(a) { w.fill(1, 0, 2); }",
    "function f(a) { return a.b; }",
    "function f(a) { a /= 2; return a; }",
    "function f(a) { break; }",
    "async function f(a) { }",
  ])("%s", (text) => {
    const memory = StepMemory.create(16)!;
    expect(() => instantiateStep([new StepText(text)], ["f"], { memory })).toThrow(NotStepCode);
  });

  test("a trap is an error of WebAssembly, not a result", () => {
    const { wasm } = both("function f(a, b) { return a % b; }", ["f"]);
    expect(() => wasm.f!(1, 0)).toThrow(/remainder by zero/);
  });
});

test("what is nested too deeply, or has too many variables, is no step code", () => {
  const made = (body: string) => () =>
    instantiateStep([new StepText(`function f(a) { ${body} }`)], ["f"], { memory: StepMemory.create(16)! });
  expect(made(`return ${"(".repeat(100_000)}a${")".repeat(100_000)};`)).toThrow(NotStepCode);
  const names = Array.from({ length: 60_000 }, (_, i) => `x${i} = a`);
  expect(made(`let ${names.join(", ")}; return x7;`)).toThrow(NotStepCode);
});

describe("counters", () => {
  const counting = (body: string, fired: Float64Array) =>
    instantiateStep([new StepText(`function f(a) { ${body} }`, { fired })], ["f"], {
      memory: StepMemory.create(16)!,
    });

  test("are added to those of the host, once", () => {
    const fired = Float64Array.of(1, 2 ** 40, 0);
    const { functions, keepBytes } = counting("fired[a]++; fired[2]++;", fired);
    functions.f!(1);
    functions.f!(1);
    functions.f!(0);
    expect([...fired]).toEqual([1, 2 ** 40, 0]);
    keepBytes();
    keepBytes();
    expect([...fired]).toEqual([2, 2 ** 40 + 2, 3]);
  });

  test.each(["return fired[a]++;", "fired[a] += 2;", "fired[a] = 1;", "fired[a] -= 1;", "return fired[a];"])(
    "do nothing else: %s",
    (body) => {
      expect(() => counting(body, new Float64Array(2))).toThrow(NotStepCode);
    },
  );
});

describe("atomic operations", () => {
  const text = `function f(op, at, a, b) {
  switch (op) {
    case 0: return Atomics.load(words, at + 1);
    case 1: Atomics.store(words, at + 1, a); return words[at + 1];
    case 2: return Atomics.add(words, at, a);
    case 3: return Atomics.sub(words, at, a);
    case 4: return Atomics.and(words, at, a);
    case 5: return Atomics.or(words, at, a);
    case 6: return Atomics.compareExchange(words, at, a, b);
  }
  Atomics.add(words, at, 1);
  return words[at];
}`;
  test("change words as in JavaScript", () => {
    const { js, wasm } = both(text, ["f"], (allocate) => ({ words: allocate(20) }));
    const operations = Array.from({ length: 8 }, (_, i) => i);
    for (const a of INTERESTING)
      for (const op of [...operations, ...operations.toReversed()])
        for (const b of [0, a, 7])
          expect(wasm.f!(op, op % 3, a, b), `${op} ${a} ${b}`).toBe(js.f!(op, op % 3, a, b));
  });

  test.each([
    "return Atomics.xor(words, 0, 1);",
    "return Atomics.load(words);",
    "return Atomics.add(words, 0);",
    "return Atomics.store(words, 0, 1);",
    "return Atomics.load(bytes, 0);",
  ])("are refused elsewhere: %s", (line) => {
    const memory = StepMemory.create(16)!;
    const bindings = { words: memory.allocate(4)!, bytes: new Uint8Array(4) };
    const make = () =>
      instantiateStep([new StepText(`function f() { ${line} }`, bindings)], ["f"], { memory });
    expect(make).toThrow(NotStepCode);
  });
});

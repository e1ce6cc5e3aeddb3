/**
 * Programs for packing: fields of odd sizes, arrays within and across words, messages smaller and larger than a word,
 * processes that die and reappear with their channels, process numbers whose template changes.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seriesOf } from "../../src/compile/packing.js";
import { compare } from "./differential.js";

/** An array of elements of `bits` bits; one element: a scalar. */
interface Variable {
  readonly bits: number;
  readonly length: number;
}

interface Channel {
  readonly capacity: number;
  readonly fields: readonly number[];
}

interface Statement {
  readonly kind: "set" | "pass" | "copy" | "step" | "send" | "sorted" | "receive" | "random" | "poll" | "run";
  /** Index of the subject, modulo their number. */
  readonly what: number;
  readonly index: number;
  readonly value: number;
}

interface Process {
  readonly locals: readonly Variable[];
  readonly own: readonly Channel[];
  readonly body: readonly Statement[];
}

interface Parts {
  readonly globals: readonly Variable[];
  readonly channels: readonly Channel[];
  /** Run by the initial process in order; some wait until all others have terminated. */
  readonly created: readonly { readonly process: number; readonly waits: boolean }[];
  readonly processes: readonly Process[];
}

const bits = fc.integer({ min: 1, max: 31 });
const variable = fc.record({
  bits,
  length: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 5 }), fc.integer({ min: 6, max: 14 })),
});
const channel = fc.record({
  capacity: fc.integer({ min: 1, max: 4 }),
  fields: fc.array(bits, { minLength: 1, maxLength: 3 }),
});
const statement: fc.Arbitrary<Statement> = fc.record({
  kind: fc.constantFrom<Statement["kind"]>(
    "set",
    "pass",
    "copy",
    "step",
    "send",
    "send",
    "sorted",
    "receive",
    "random",
    "poll",
    "run",
  ),
  what: fc.nat(20),
  index: fc.nat(20),
  value: fc.oneof(fc.nat(7), fc.nat(2 ** 31 - 1)),
});
const parts: fc.Arbitrary<Parts> = fc.record({
  globals: fc.array(variable, { minLength: 1, maxLength: 4 }),
  channels: fc.array(channel, { minLength: 1, maxLength: 3 }),
  created: fc.array(fc.record({ process: fc.nat(2), waits: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  processes: fc.array(
    fc.record({
      locals: fc.array(variable, { maxLength: 3 }),
      own: fc.array(channel, { maxLength: 1 }),
      body: fc.array(statement, { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 3, maxLength: 3 },
  ),
});

const pick = <T>(all: readonly T[], which: number): { item: T; at: number } => ({
  item: all[which % all.length]!,
  at: which % all.length,
});

const declare = (name: string, { bits: size, length }: Variable): string =>
  `unsigned ${name}${length > 1 ? `_[${length}]` : ""} : ${size};`;

/** Promela has no arrays of unsigned fields of a given size, except inside a record. */
function declareAll(prefix: string, variables: readonly Variable[]): string {
  return variables
    .map((v, i) => (v.length > 1 ? `R${v.bits} ${prefix}${i}[${v.length}];` : declare(`${prefix}${i}`, v)))
    .join(" ");
}

const element = (prefix: string, variables: readonly Variable[], which: number, index: string): string => {
  const { item, at } = pick(variables, which);
  return item.length > 1 ? `${prefix}${at}[(${index}) % ${item.length}].x` : `${prefix}${at}`;
};

const declareChannels = (prefix: string, channels: readonly Channel[]): string =>
  channels
    .map((c, i) => `chan ${prefix}${i} = [${c.capacity}] of { ${c.fields.map(fieldType).join(", ")} };`)
    .join(" ");

const fieldType = (size: number): string =>
  size <= 1 ? "bit" : size <= 8 ? "byte" : size <= 16 ? "short" : "int";

function renderStatement(s: Statement, self: Process, { globals, channels }: Parts): string {
  const target =
    self.locals.length > 0 && s.what % 2 === 1
      ? element("v", self.locals, s.what, `me + ${s.index}`)
      : element("g", globals, s.what, `me + ${s.index}`);
  const all = [
    ...channels.map((c, i) => ({ ...c, name: `c${i}` })),
    ...self.own.map((c, i) => ({ ...c, name: `o${i}` })),
    // May differ from the expected type, giving messages of a wrong size.
    { ...channels[0]!, name: "given" },
  ];
  const q = pick(all, s.what).item;
  const message = q.fields.map((_, i) => `${(s.value + i) % (2 ** 31 - 1)}`).join(",");
  const full = `full(${q.name})`;
  switch (s.kind) {
    case "set":
      return `${target} = ${s.value}`;
    // No state shows the intermediate value, so a guess misses it.
    case "pass":
      return `d_step { ${target} = ${s.value}; ${target} = 0 }`;
    case "copy":
      return `${target} = ${element("g", globals, s.index, `me`)}`;
    case "step":
      return `${target} = ${target} + 1`;
    case "send":
      return `if :: ${q.name}!${message} :: ${full} fi`;
    case "sorted":
      return `if :: ${q.name}!!${message} :: ${full} fi`;
    case "receive":
      return `if :: ${q.name}?${q.fields.map((_, i) => (i === 0 ? "got" : "_")).join(",")} :: empty(${q.name}) fi`;
    case "random":
      return `if :: ${q.name}??${q.fields.map((_, i) => ["got", String(s.value), "_"][i]).join(",")} :: else fi`;
    case "poll":
      return `if :: ${q.name}?[${q.fields.map((_, i) => (i === 0 ? String(s.value) : "_")).join(",")}] :: else fi`;
    case "run":
      return `if :: _nr_pr < 4 -> run P${s.what % 3}(${s.value % 256}, c${s.index % channels.length}) :: else fi`;
  }
}

function render(p: Parts): string {
  const sizes = new Set([...p.globals, ...p.processes.flatMap((q) => q.locals)].map((v) => v.bits));
  const records = [...sizes].map((size) => `typedef R${size} { unsigned x : ${size} };`);
  // A process creates at most one other, so that all terminate.
  const processes = p.processes.map((q, i) => {
    const body = q.body.filter((s, k) => s.kind !== "run" || q.body.findIndex((o) => o.kind === "run") === k);
    return `proctype P${i}(byte me; chan given) { ${declareAll("v", q.locals)} ${declareChannels("o", q.own)} int got;
  ${body.map((s) => renderStatement(s, q, p)).join(";\n  ")} }`;
  });
  const runs = p.created.map(
    ({ process, waits }, i) => `${waits ? "_nr_pr == 1; " : ""}run P${process}(${i}, c0)`,
  );
  return `${records.join("\n")}
${declareAll("g", p.globals)}
${declareChannels("c", p.channels)}
${processes.join("\n")}
init { ${runs.join("; ")} }
`;
}

describe("packed states", () => {
  test("any layout gives the same states, edges and faults", () => {
    let compared = 0;
    let retried = 0;
    fc.assert(
      fc.property(parts, (p) => {
        const found = compare(render(p), "packed");
        if (found) compared++;
        if (found && found.retries > 0) retried++;
      }),
      { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(20);
    expect(retried).toBeGreaterThan(0);
  });

  /** Out of reach of the sampling walks, which see nothing new on the way. */
  const far = "skip; ".repeat(700);

  test("a process that was not planned is planned", () => {
    const found = compare(
      `byte n; proctype A(byte k) { chan q = [2] of { byte }; byte a; q!k; q?a; n = a }
      init { run A(7); _nr_pr == 1; ${far} run A(9); run A(200); n == 9; _nr_pr == 1; run A(3) }`,
      "more processes",
    );
    expect(found!.retries).toBeGreaterThan(0);
  });

  test("a process number whose template changes is no longer planned", () => {
    const found = compare(
      `byte n; proctype A(byte k) { byte a; a = k; n = a }
      proctype B() { chan q = [2] of { byte, short }; short b; q!5,-7; q?_,b; n = b }
      init { run A(7); _nr_pr == 1; ${far} run B(); run A(3); _nr_pr == 1; run A(12); run B() }`,
      "changing processes",
    );
    expect(found!.retries).toBeGreaterThan(0);
  });
});

test.each([0, 1, 31, 32, 40, 64])("nothing of %i bits takes no room", (bits) => {
  expect(seriesOf(bits, 0).bits).toBe(0);
  expect(seriesOf(bits, 1).bits).toBe(bits);
});

/** Random small message-passing programs, as text. */
import fc from "fast-check";

const MESSAGES = ["a", "b"];
const CHANNELS = ["c", "d"];
const PRINCIPALS = ["P", "Q", "R"];
const VARIABLES = ["x", "y"];

const oneOf = (names: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...names);

const letter = oneOf([...PRINCIPALS, "{P, Q}", "!{R}"]);

export const anyPolicy: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(letter, oneOf(["", "", "", "*", "+", "?"])).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 3 },
  )
  .chain((parts) =>
    fc.constantFrom(`eps | ${parts.join(" ")}`, `eps | ${parts[0]!}`, `eps | ${parts.join(" | ")}`),
  );

const condition = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(oneOf(VARIABLES), oneOf(["==", "!="]), oneOf(MESSAGES)).map((t) => t.join(" ")),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(oneOf(VARIABLES), anyPolicy).map(([x, set]) => `provenance(${x}) in ${set}`),
  },
);

function statement(depth: number, canSpawn: boolean): fc.Arbitrary<string> {
  const simple = [
    fc.tuple(oneOf(VARIABLES), oneOf(MESSAGES)).map(([x, m]) => `${x} = ${m};`),
    fc.tuple(oneOf(VARIABLES), oneOf(VARIABLES)).map(([x, y]) => `${x} = ${y};`),
    fc
      .tuple(oneOf(VARIABLES), oneOf([...MESSAGES, "swap"]), oneOf(VARIABLES))
      .map(([x, f, y]) => `${x} = ${f}(${y});`),
    fc.tuple(oneOf(CHANNELS), oneOf(VARIABLES)).map(([c, x]) => `send(${c}, ${x});`),
    fc.tuple(oneOf(CHANNELS), oneOf(VARIABLES)).map(([c, x]) => `send(${c}, ${x});`),
    fc.tuple(oneOf(CHANNELS), oneOf(VARIABLES)).map(([c, x]) => `recv(${c}, ${x});`),
    fc.tuple(oneOf(CHANNELS), oneOf(VARIABLES)).map(([c, x]) => `recv(${c}, ${x});`),
    condition.map((test) => `assume(${test});`),
    fc.constant(canSpawn ? "spawn R;" : "skip;"),
  ];
  if (depth === 0) return fc.oneof(...simple);
  const block = fc
    .array(statement(depth - 1, canSpawn), { minLength: 1, maxLength: 3 })
    .map((all) => all.join(" "));
  return fc.oneof(
    ...simple,
    block.map((body) => `loop { ${body} }`),
    fc.tuple(block, block).map(([one, other]) => `choose { [] ${one} [] ${other} }`),
    fc
      .tuple(condition, block, block)
      .map(([test, one, other]) => `if (${test}) { ${one} } else { ${other} }`),
  );
}

const body = (canSpawn: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.boolean(),
      fc.array(statement(2, canSpawn), { minLength: 1, maxLength: 4 }).map((all) => all.join(" ")),
    )
    .map(([isLoop, text]) => (isLoop ? `loop { ${text} }` : text));

/** Three principals; `P` may spawn `R`. */
export const anyProgram: fc.Arbitrary<string> = fc
  .tuple(body(true), body(false), body(false), oneOf(PRINCIPALS), oneOf(VARIABLES), anyPolicy, fc.boolean())
  .map(([p, q, r, owner, variable, policy, isConditional]) =>
    [
      "message a, b; channel c, d; op swap { a -> b; b -> a; }",
      // Initial messages make violations likely.
      `principal P { var x, y; x = a; send(c, x); ${p} }`,
      `principal Q { var x, y; recv(c, x); ${q} }`,
      `principal R { var x, y; choose { [] recv(c, y); [] recv(d, x); } ${r} }`,
      `property p: provenance(${owner}.${variable}) in ${policy}${isConditional ? ` when ${owner}.y == a` : ""};`,
    ].join("\n"),
  );

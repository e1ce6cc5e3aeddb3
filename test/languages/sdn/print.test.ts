/** Printing and parsing a network is the identity. */
import fc from "fast-check";
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import * as models from "../../../bench/sdn/models.js";
import type * as ast from "../../../src/languages/sdn/ast.js";
import { formatNetwork, readInput } from "../../../src/index.js";
import { parseSdn, printSdn } from "../../../src/languages/sdn/index.js";
import { inRepository } from "../../repository.js";
import { loadText } from "./loading.js";

const parse = (text: string): readonly ast.Declaration[] => {
  const { declarations, diagnostics } = parseSdn("test.sdn", text);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return declarations;
};

/** Without spans. */
const bare = (declarations: unknown): unknown =>
  JSON.parse(JSON.stringify(declarations, (key, value: unknown) => (key === "span" ? undefined : value)));

const texts: readonly (readonly [string, string])[] = [
  ["SSH", models.ssh(true)],
  ["learning", models.mlCyclic],
  ["firewall", models.firewall({ switches: 2, moment: "at execution" })],
  ["Resonance", models.resonance(2)],
  ["Simple", models.simple(8)],
  ["stale", models.stale(2)],
  ["clash", models.clash],
  ...readdirSync(inRepository("examples/networks"))
    .filter((name) => name.endsWith(".sdn"))
    .map((name) => [name, readFileSync(inRepository("examples/networks", name), "utf8")] as const),
];

for (const [name, text] of texts)
  test(`${name} is read again as it was written`, () => {
    const declarations = parse(text);
    const printed = printSdn(declarations);
    expect(bare(parse(printed))).toEqual(bare(declarations));
    expect(printSdn(parse(printed))).toBe(printed);
  });

test("an imported topology is written out, and is the same network", async () => {
  const input = readInput(inRepository("examples/networks/learning-tree.sdn"));
  if ("code" in input) throw new Error(input.message);
  const { text, diagnostics } = await formatNetwork(input);
  expect(diagnostics).toEqual([]);
  expect(text).not.toContain('topology "');
  const topology = readFileSync(inRepository("examples/networks/tree.json"), "utf8");
  expect(bare(loadText(text).network)).toEqual(bare(loadText(input.text, { "tree.json": topology }).network));
  const wrong = { file: "wrong.sdn", text: "network {" };
  expect(await formatNetwork(wrong)).toMatchObject({
    text: wrong.text,
    diagnostics: [{ code: "sdn/syntax" }],
  });
});

test("random declarations are read again as they were", () => {
  fc.assert(
    fc.property(fc.array(declaration, { minLength: 1, maxLength: 4 }), (declarations) => {
      expect(bare(parse(printSdn(declarations)))).toEqual(bare(declarations));
    }),
    { numRuns: 300 },
  );
});

const span = { file: "", start: 0, end: 0 };
/** Includes contextual keywords. */
const name = fc
  .constantFrom("a", "b1", "kind", "packets1", "state", "send", "c_2")
  .map((text): ast.Name => ({ text, span }));
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const small = fc.nat(20);
const end = fc.record({ node: name, port: small, span: fc.constant(span) });
const range = fc.record({ low: small, high: small, span: fc.constant(span) });

const { type } = fc.letrec<{ type: ast.TypeExpression }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("bool", "client", "switch", "port").map((kind) => ({ kind, span }) as ast.TypeExpression),
    range.map((r): ast.TypeExpression => ({ kind: "range", ...r })),
    names.map((values): ast.TypeExpression => ({ kind: "enum", values, span })),
    fc.constant<ast.TypeExpression>({ kind: "named", name: { text: "Colour", span }, span }),
    tie("type").map((of): ast.TypeExpression => ({ kind: "set", of, span })),
    fc
      .tuple(fc.array(tie("type"), { minLength: 1, maxLength: 2 }), tie("type"))
      .map(([keys, of]): ast.TypeExpression => ({ kind: "map", keys, of, span })),
  ),
}));

const operators = ["->", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-"] as const;

const { expression, postfix } = fc.letrec<{ expression: ast.Expression; postfix: ast.Expression }>((tie) => {
  const some = fc.array(tie("expression"), { maxLength: 2 });
  return {
    postfix: fc.oneof(
      { depthSize: "small" },
      name.map((n): ast.Expression => ({ kind: "name", name: n, span })),
      fc
        .tuple(tie("expression"), name)
        .map(([of, n]): ast.Expression => ({ kind: "member", of, name: n, span })),
      fc
        .tuple(tie("expression"), fc.array(tie("expression"), { minLength: 1, maxLength: 2 }))
        .map(([of, indices]): ast.Expression => ({ kind: "index", of, indices, span })),
    ),
    expression: fc.oneof(
      { depthSize: "small" },
      small.map((value): ast.Expression => ({ kind: "int", value, span })),
      fc.boolean().map((value): ast.Expression => ({ kind: "bool", value, span })),
      fc.constant<ast.Expression>({ kind: "none", span }),
      tie("postfix"),
      fc
        .tuple(name, some)
        .map(([n, given]): ast.Expression => ({ kind: "call", name: n, arguments: given, span })),
      some.map((items): ast.Expression => ({ kind: "list", items, span })),
      tie("expression").map((of): ast.Expression => ({ kind: "not", of, span })),
      fc
        .tuple(fc.constantFrom(...operators), tie("expression"), tie("expression"))
        .map(([operator, left, right]): ast.Expression => ({ kind: "binary", operator, left, right, span })),
      fc
        .tuple(tie("expression"), tie("expression"), tie("expression"))
        .map(([test, then, otherwise]): ast.Expression => ({
          kind: "conditional",
          test,
          then,
          otherwise,
          span,
        })),
      fc
        .tuple(
          fc.constantFrom("forall" as const, "exists" as const),
          name,
          fc.oneof(
            type,
            fc
              .oneof(
                fc.constantFrom<ast.RegionExpression["at"]>("all", "clients", "switches"),
                tie("expression"),
              )
              .map((at): ast.RegionExpression => ({ kind: "packets", at, span })),
          ),
          tie("expression"),
        )
        .map(([quantifier, n, over, body]): ast.Expression => ({
          kind: "quantifier",
          quantifier,
          name: n,
          over,
          body,
          span,
        })),
      fc
        .tuple(
          tie("expression"),
          fc.array(fc.record({ name, value: tie("expression") }), { maxLength: 2 }),
          tie("expression"),
          fc.boolean(),
        )
        .map(([priority, pattern, ports, expires]): ast.Expression => ({
          kind: "rule",
          priority,
          pattern,
          ports,
          expires,
          span,
        })),
    ),
  };
});

const template = fc
  .array(fc.record({ name, value: fc.oneof(fc.constant("any" as const), expression) }), { maxLength: 2 })
  .map((fields): ast.Template => ({ fields, span }));

const { block } = fc.letrec<{ block: ast.Block; statement: ast.Statement }>((tie) => ({
  block: fc.array(tie("statement"), { maxLength: 3 }).map((statements) => ({ statements, span })),
  statement: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("flood", "drop").map((kind) => ({ kind, span }) as ast.Statement),
    fc.tuple(name, expression).map(([n, value]): ast.Statement => ({ kind: "let", name: n, value, span })),
    fc
      .tuple(postfix, expression)
      .map(([target, value]): ast.Statement => ({ kind: "assign", target, value, span })),
    fc
      .tuple(fc.constantFrom("install" as const, "remove" as const), expression, expression)
      .map(([kind, at, rule]): ast.Statement => ({ kind, at, rule, span })),
    expression.map((at): ast.Statement => ({ kind: "barrier", at, span })),
    expression.map((ports): ast.Statement => ({ kind: "forward", ports, span })),
    fc
      .tuple(template, fc.option(end, { nil: undefined }))
      .map(([t, at]): ast.Statement => ({ kind: "emit", template: t, at, span })),
    fc
      .constantFrom("", "no", 'a \\"b\\"')
      .map((message): ast.Statement => ({ kind: "error", message, span })),
    fc
      .option(expression, { nil: undefined })
      .map((value): ast.Statement => ({ kind: "return", value, span })),
    fc.tuple(name, fc.array(expression, { maxLength: 2 })).map(([n, given]): ast.Statement => ({
      kind: "call",
      call: { kind: "call", name: n, arguments: given, span },
      span,
    })),
    fc
      .tuple(expression, tie("block"), fc.option(tie("block"), { nil: undefined }))
      .map(([test, then, otherwise]): ast.Statement => ({ kind: "if", test, then, otherwise, span })),
    fc
      .tuple(name, expression, tie("block"))
      .map(([n, over, body]): ast.Statement => ({ kind: "for", name: n, over, body, span })),
    fc
      .array(tie("block"), { minLength: 1, maxLength: 2 })
      .map((branches): ast.Statement => ({ kind: "choose", branches, span })),
  ),
}));

const parameter = fc.record({ name, type });
const handler = fc.record({ parameters: names, body: block, span: fc.constant(span) });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const item: fc.Arbitrary<ast.NetworkItem> = fc.oneof(
  fc.tuple(names, range).map(([all, ports]): ast.NetworkItem => ({ kind: "switch", names: all, ports })),
  fc
    .tuple(names, maybe(name), maybe(range), maybe(names))
    .map(([all, group, ports, contacts]): ast.NetworkItem => ({
      kind: "client",
      names: all,
      group,
      ports,
      ...(contacts ? { contacts } : {}),
    })),
  fc
    .tuple(end, end, fc.boolean())
    .map(([from, to, mayFail]): ast.NetworkItem => ({ kind: "link", ends: [from, to], mayFail, span })),
);

const claim: fc.Arbitrary<ast.Claim> = fc.oneof(
  expression.map((condition): ast.Claim => ({ kind: "always", condition })),
  fc
    .tuple(name, fc.array(name, { maxLength: 2 }), fc.boolean(), expression)
    .map(([event, parameters, isAtExecution, condition]): ast.Claim => ({
      kind: "never",
      event,
      parameters,
      isAtExecution,
      condition,
    })),
  fc
    .tuple(name, fc.array(expression, { maxLength: 2 }))
    .map(([n, given]): ast.Claim => ({ kind: "builtin", name: n, arguments: given })),
);

const declaration: fc.Arbitrary<ast.Declaration> = fc.oneof(
  fc.constant<ast.Declaration>({ kind: "topology", path: "t.json", span }),
  fc
    .tuple(name, fc.array(item, { maxLength: 3 }))
    .map(([n, items]): ast.Declaration => ({ kind: "network", name: n, items, span })),
  fc
    .tuple(fc.array(parameter, { maxLength: 2 }), fc.boolean())
    .map(([fields, tracksVisited]): ast.Declaration => ({ kind: "packet", fields, tracksVisited, span })),
  fc.tuple(name, type).map(([n, t]): ast.Declaration => ({ kind: "type", name: n, type: t })),
  fc.tuple(name, expression).map(([n, value]): ast.Declaration => ({ kind: "const", name: n, value })),
  fc
    .tuple(
      fc.oneof(
        names.map((clients) => ({ clients, group: undefined })),
        name.map((group) => ({ clients: [], group })),
      ),
      fc.array(fc.record({ template, to: maybe(end) }), { maxLength: 2 }),
      maybe(fc.record({ packet: name, guard: maybe(expression), body: block, span: fc.constant(span) })),
    )
    .map(([whose, sends, receive]): ast.Declaration => ({
      kind: "behaviour",
      ...whose,
      sends,
      receive,
      span,
    })),
  fc
    .tuple(
      maybe(fc.record({ value: small, span: fc.constant(span) })),
      fc.array(fc.record({ name, type, value: expression }), { maxLength: 2 }),
      fc.array(
        fc.record({
          name,
          parameters: fc.array(parameter, { maxLength: 2 }),
          result: maybe(type),
          body: block,
          span: fc.constant(span),
        }),
        { maxLength: 1 },
      ),
      maybe(handler),
      maybe(handler),
      maybe(handler),
    )
    .map(([kappa, state, functions, packetIn, portDown, barrierReply]): ast.Declaration => ({
      kind: "controller",
      kappa,
      state,
      functions,
      packetIn,
      barrierReply,
      portDown,
      span,
    })),
  fc
    .tuple(name, fc.array(parameter, { maxLength: 2 }), maybe(expression), block)
    .map(([n, parameters, guard, body]): ast.Declaration => ({
      kind: "event",
      name: n,
      parameters,
      guard,
      body,
      span,
    })),
  fc.tuple(name, claim).map(([n, c]): ast.Declaration => ({ kind: "property", name: n, claim: c, span })),
  fc
    .array(
      fc.record({ name, value: fc.oneof(small, fc.constantFrom("x", "y z")), span: fc.constant(span) }),
      { maxLength: 2 },
    )
    .map((options): ast.Declaration => ({ kind: "options", options, span })),
);

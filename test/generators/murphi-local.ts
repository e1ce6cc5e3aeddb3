/**
 * Random Murphi models whose rule instances touch few variables each, so that some are independent: arrays with an element for each
 * process, some shared variables, and now and then an index that is not constant, an alias, a procedure, a multiset, an assertion, a
 * local assumption, or a value that becomes undefined.
 */
import { Random } from "./random.js";

export interface LocalCase {
  readonly text: string;
  readonly formulas: readonly string[];
}

export function localModel(seed: number): LocalCase {
  const random = new Random(seed);
  const hasBag = random.chance(20);
  const rules = [
    ...random.list(1, 2, () => random.pick(PROGRAMS)),
    ...random.list(1, 3, (number) => anyRule(random, number, hasBag)),
  ];
  const text = [
    `type p: 0..${random.pick([1, 2, 2])}; v: 0..2;`,
    "var a, b: array [p] of v; g, h, u: v;",
    hasBag ? "bag: multiset [2] of v;" : "",
    "procedure bump(var x: v); begin if x < 2 then x := x + 1; else x := 0; end; end;",
    "function small(x: v): boolean; begin return x < 2; end;",
    "startstate",
    `  for i: p do a[i] := 0; b[i] := ${random.below(2)}; end; g := ${random.below(3)}; h := 0;`,
    random.chance(80) ? "  u := 0;" : "",
    hasBag ? "  multisetadd(g, bag); multisetadd(h, bag);" : "",
    "end;",
    ...rules,
    ...random.list(
      0,
      2,
      (n) => `invariant "i${n}" ${condition(random, "0")} | ${random.pick(["g", "h", "b[1]"])} < 2;`,
    ),
    "",
  ];
  const seen = random.pick(["0", "1"]);
  const atom = (): string => `(${condition(random, seen)})`;
  const formulas = random.list(1, 2, () =>
    random.pick([
      () => `[] <> ${atom()}`,
      () => `<> [] ${atom()}`,
      () => `[] (${atom()} -> <> ${atom()})`,
      () => `${atom()} U ${atom()}`,
      () => `<> (${atom()} & X ${atom()})`,
    ])(),
  );
  return { text: text.join("\n"), formulas };
}

/** What every process does by itself. */
const PROGRAMS = [
  'ruleset i: p do rule "step" b[i] < 2 ==> begin b[i] := b[i] + 1; end; end;',
  'ruleset i: p do rule "climb" a[i] < b[i] ==> begin a[i] := a[i] + 1; end; end;',
  'ruleset i: p do rule "turn" a[i] = 0 & b[i] = 0 ==> begin a[i] := 1; end; end;',
  'ruleset i: p do rule "round" true ==> begin a[i] := (a[i] + 1) % 3; end; end;',
  'ruleset i: p do rule "enter" b[i] = 1 & g = 0 ==> begin g := 1; a[i] := 0; end; end;',
  'ruleset i: p do rule "leave" b[i] = 2 ==> begin g := 0; b[i] := 0; end; end;',
];

/** Mostly the process's own. */
function place(random: Random, i: string): string {
  const draw = random.below(100);
  if (draw < 5) return "g";
  if (draw < 10) return "h";
  if (draw < 13) return "a[h % 2]";
  if (draw < 15) return "u";
  return `${random.pick(["a", "b"])}[${i}]`;
}

const condition = (random: Random, i: string): string =>
  random.chance(3)
    ? `(exists j: p do a[j] = ${random.below(3)} end)`
    : `${place(random, i)} ${random.pick(["=", "!=", "<", ">="])} ${1 + random.below(2)}`;

function guard(random: Random, i: string): string {
  const parts = random.list(1, 2, () => condition(random, i));
  return random.chance(15) ? `small(${place(random, i)}) & ${parts.join(" & ")}` : parts.join(" & ");
}

function statement(random: Random, i: string): string {
  const target = place(random, i);
  const kinds = [
    () => `${target} := ${random.below(3)};`,
    () => `${target} := ${random.below(3)};`,
    () => `${target} := ${place(random, i)};`,
    () => `${target} := (${place(random, i)} + 1) % 3;`,
    () => `if ${condition(random, i)} then ${target} := ${random.below(3)}; end;`,
    () => `bump(${target});`,
    () => `alias x: ${target} do x := ${random.below(3)}; end;`,
    () => (random.chance(30) ? `for j: p do b[j] := ${random.below(3)}; end;` : `bump(a[${i}]);`),
  ];
  const rare = [
    () => `assert ${condition(random, i)};`,
    () => `assume ${condition(random, i)};`,
    () => "undefine u;",
    () => `error "reached";`,
    () => `assert "far" ${place(random, "0")} < 2 | ${place(random, "1")} < 2;`,
  ];
  return random.chance(8) ? random.pick(rare)() : random.pick(kinds)();
}

function anyRule(random: Random, number: number, hasBag: boolean): string {
  if (hasBag && random.chance(40))
    return random.chance(60)
      ? `choose e: bag do rule "take ${number}" bag[e] = ${random.below(3)} & ${guard(random, "0")} ==> begin g := bag[e]; multisetremove(e, bag); end; end;`
      : `rule "put ${number}" multisetcount(e: bag, true) < 2 & ${guard(random, "1")} ==> begin multisetadd(h, bag); end;`;
  const isFamily = random.chance(85);
  const i = isFamily ? "i" : `${random.below(2)}`;
  const body = random.list(1, 2, () => statement(random, i)).join(" ");
  const rule = `rule "r${number}" ${guard(random, i)} ==> begin ${body} end;`;
  return isFamily ? `ruleset i: p do ${rule} end;` : rule;
}

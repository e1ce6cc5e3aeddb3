/**
 * Effects of each reduction on tiny programs and on the models of the fixtures. A reduction that becomes stronger or weaker
 * shows here, whether or not a verdict differs. After an intended change: run this file with `--update`, and read the
 * difference.
 */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, hasErrors, type Program, type Property } from "../../../src/model/index.js";
import { planReductions, planTemporal, type Plan } from "../../../src/transforms/reduction/index.js";
import { witnesses } from "../../conformance/witnesses.js";
import { tinyCase } from "../../generators/promela-tiny.js";
import { renderProgram } from "../../generators/promela-tree.js";
import { tinyReductions } from "./tiny.js";

interface Asked {
  readonly name: string;
  readonly text: string;
  readonly invariants?: readonly string[];
  readonly formula?: string | undefined;
}

const tiny = (seed: number, hasFormula: boolean): Asked => {
  const { program, invariants, formula } = tinyCase(seed, { hasFormula });
  return { name: `program ${seed}`, text: renderProgram(program), invariants, formula };
};
const properties: readonly Property[] = [{ kind: "assertion", name: "assertions", span: undefined }];
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => 1001 + i);

describe.each([
  { kind: "tiny", models: numbers(250).map((seed) => tiny(seed, false)) },
  { kind: "tiny, with a formula", models: numbers(100).map((seed) => tiny(seed, true)) },
  { kind: "fixtures", models: [...witnesses(), ...witnesses("reductions")].map(ofFixture) },
])("$kind", ({ models }) => {
  test.each(models)("$name", (asked) => {
    const program = load(asked);
    expect(program ? effectOn(program).join("; ") : "refused").toMatchSnapshot();
  });
});

function ofFixture({ name, text, options }: ReturnType<typeof witnesses>[number]): Asked {
  return { name, text, invariants: options.invariants ?? [], formula: options.ltl?.[0] };
}

function load({ text, invariants = [], formula }: Asked): Program | undefined {
  const sources = new Sources();
  const file = "m.pml";
  sources.add(file, text);
  const given = { file, text, sources, readFile: () => undefined, defines: [], invariants };
  const { program, diagnostics } = loadPromela({
    ...given,
    formulas: formula === undefined ? [] : [formula],
  });
  return hasErrors(diagnostics) ? undefined : program;
}

/** By reduction alone: the edges and effects that it leaves, and a sum over them; or where processes may go alone. */
function effectOn(program: Program): string[] {
  const safety = { ...program, temporal: [] };
  return tinyReductions.map((name) => {
    const wanted = [name];
    const plans = [
      ...[true, false].map((trustsClaims) => planReductions(safety, { wanted, properties, trustsClaims })),
      ...(program.temporal ?? []).flatMap((property) =>
        (["none", "weak"] as const).map((fairness) => planTemporal(program, { wanted, property, fairness })),
      ),
    ];
    return `${name} ${[...new Set(plans.map(told))].join(" or ")}`;
  });
}

function told({ names, program, candidacy }: Plan): string {
  if (names.length === 0) return "refused";
  if (candidacy) return candidacy.locations.map((of) => of.map(markOf).join("")).join("|");
  const edges = program.templates.flatMap((t) => t.locations.flatMap((l) => l.edges));
  const effects = edges.reduce((sum, edge) => sum + edge.effects.length, 0);
  const text = JSON.stringify(program.templates, (key, value: unknown) =>
    key === "span" ? undefined : value,
  );
  return `${edges.length}/${effects} ${createHash("sha256").update(text).digest("hex").slice(0, 6)}`;
}

/** Of a location: `.` never alone, `1` always, a digit more for each condition. */
const markOf = (one: NonNullable<Plan["candidacy"]>["locations"][number][number]): string =>
  one === undefined ? "." : `${1 + one.conditions.length}${one.needsNoCreators ? "!" : ""}`;

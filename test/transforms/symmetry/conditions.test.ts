/** Representatives that are wrong, and programs that are not symmetric. */
import { describe, expect, test } from "vitest";
import { Renamer, compileRules } from "../../../src/compile/rules/index.js";
import { loadMurphi } from "../../../src/languages/murphi/index.js";
import { Sources, type Words } from "../../../src/model/index.js";
import { testSymmetry, type SymmetrySubject } from "../../../src/transforms/symmetry/index.js";

const alike = `type S: scalarset(3); var a: array[S] of 0..2; b: 0..2;
startstate begin for i: S do a[i] := 0; end; b := 0; end;
ruleset i: S do rule "up" a[i] < 2 ==> begin a[i] := a[i] + 1; end; end;
invariant "p" true;`;

function subjectOf(text: string): SymmetrySubject & { readonly write: Renamer["write"] } {
  const file = "m.m";
  const { program } = loadMurphi({ file, text, sources: new Sources(), defines: [], invariants: [] });
  const renamer = new Renamer(program!);
  const scalarsets = [...program!.scalarsets.keys()];
  const { system } = compileRules(program!, { symmetry: { scalarsets, form: "canonical" } });
  return {
    original: compileRules(program!),
    asked: [0],
    sizes: [3],
    renamed: (state, to) => renamer.renamed(state, new Map([[scalarsets[0]!, to[0]!]])),
    canonicalise: (state, at) => system.canonicalise!(state, at),
    isCanonical: true,
    write: (values) => renamer.write(values),
  };
}

function violationReason(
  subject: ReturnType<typeof subjectOf>,
  changes: Partial<SymmetrySubject> = {},
): string {
  const values = [0, 1, 2];
  for (const x of values)
    for (const y of values)
      for (const z of values) {
        const broken = testSymmetry({ ...subject, ...changes }, subject.write([[x, y, z], 0]));
        if (broken) return broken.condition;
      }
  return "";
}

describe("conditions of symmetry", () => {
  test("hold where elements are alike", () => {
    expect(violationReason(subjectOf(alike))).toBe("");
  });

  test("equal representatives: a state that stands for itself", () => {
    expect(violationReason(subjectOf(alike), { canonicalise: () => undefined })).toContain(
      "another representative",
    );
  });

  test("a representative of another orbit", () => {
    const subject = subjectOf(alike);
    const other = subject.write([[0, 0, 0], 0]);
    const canonicalise = (state: Words): void => state.set(other);
    expect(violationReason(subject, { canonicalise })).toContain("none of its orbit");
  });

  test("steps that single out an element", () => {
    const picking = `${alike}\nrule "pick" begin for i: S do b := a[i]; end; end;`;
    expect(violationReason(subjectOf(picking))).toContain("not the same can happen");
  });

  test("a property that singles one out", () => {
    const subject = subjectOf(alike);
    const first = subject.write([[1, 0, 0], 0]);
    const holds = (_: number, state: Words): boolean => state.join() !== first.join();
    const original = { ...subject.original, holds };
    expect(violationReason(subject, { original })).toContain("differs in 'p'");
  });
});

/** The reader of intermediate representation: messages of clang, and texts that clang would not write. */
import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findClang, IrProblem, loadProgram, readUnit } from "../../src/programs/index.js";
import { clang, hasClang } from "../peers.js";
import { inRepository } from "../repository.js";

const load = (text: string, compiler?: string): ReturnType<typeof loadProgram> =>
  loadProgram({
    file: "m.c",
    text,
    defines: [],
    compiler,
    source: (file) => (file === "m.c" ? text : undefined),
  });
const unit = (text: string): ReturnType<typeof readUnit> =>
  readUnit(text, { file: "m.c", source: () => undefined, isLibrary: false });

test("a compiler that is missing or is not clang is refused, with a remedy", () => {
  for (const name of ["no such clang", "node"])
    expect(load("int main(void) { return 0; }", name).diagnostics).toMatchObject([
      { code: "c/no-clang", hint: expect.stringContaining("install clang 15") as unknown },
    ]);
  expect(findClang("node")).toEqual({ problem: "'node' is not clang" });
});

test("typed pointers, as clang 14 writes them, are refused", () => {
  expect(() => unit("define i32 @f(i32* %0) {\n  ret i32 0\n}\n")).toThrow(/clang 14/);
});

test("debug records are read like debug intrinsics", () => {
  const text = (declare: string): string => `define i32 @main() !dbg !4 {
  %1 = alloca i32, align 4
    ${declare}
  store i32 7, ptr %1, align 4, !dbg !8
  ret i32 0, !dbg !8
}
!4 = distinct !DISubprogram(name: "main", file: !5, line: 1)
!5 = !DIFile(filename: "m.c", directory: "")
!7 = !DILocalVariable(name: "x", scope: !4, file: !5, line: 2)
!8 = !DILocation(line: 2, column: 7, scope: !4)
`;
  const read = (declare: string): unknown =>
    unit(text(declare)).functions[0]?.blocks[0]?.instructions.filter(
      ({ kind }) => kind === "allocate" || kind === "store",
    );
  const record = read("#dbg_declare(ptr %1, !7, !DIExpression(), !8)");
  expect(record).toMatchObject([{ name: "x" }, { span: { file: "m.c", line: 2 } }]);
  expect(
    read("call void @llvm.dbg.declare(metadata ptr %1, metadata !7, metadata !DIExpression()), !dbg !8"),
  ).toEqual(record);
});

describe.runIf(hasClang)("with clang", () => {
  test("messages of clang have their positions", () => {
    expect(load("int main(void) {\n  return y;\n}\n").diagnostics).toMatchObject([
      { code: "c/clang", message: "use of undeclared identifier 'y'", span: { file: "m.c", start: 26 } },
    ]);
    expect(load("int f(void) { return 0; }").diagnostics).toMatchObject([{ code: "c/no-main" }]);
  });

  test("damaged texts are problems with a line, never other exceptions", () => {
    const args = [
      "-S",
      "-emit-llvm",
      "-g",
      "-O0",
      "-o",
      "-",
      inRepository("test/fixtures/c/run/structures.c"),
    ];
    const { stdout } = spawnSync(clang, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
    const lines = stdout.split("\n").slice(0, 600);
    expect(lines.length).toBeGreaterThan(100);
    const damage = fc.record({
      line: fc.nat(lines.length - 1),
      from: fc.nat(80),
      length: fc.nat(12),
      by: fc.constantFrom(
        "",
        "{",
        "(",
        "%",
        "%999",
        "i99999",
        "ptr",
        "[",
        "\0",
        "define",
        "-1",
        'c"',
        "}",
        "9".repeat(30),
      ),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (all) => {
        const damaged = lines.slice();
        for (const { line, from, length, by } of all)
          damaged[line] =
            (damaged[line] ?? "").slice(0, from) + by + (damaged[line] ?? "").slice(from + length);
        try {
          unit(damaged.join("\n"));
        } catch (problem) {
          expect(problem).toBeInstanceOf(IrProblem);
        }
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  test("types that are nested too deeply are a problem", () => {
    const text = `@x = global ${"[1 x ".repeat(20_000)}i8${"]".repeat(20_000)} zeroinitializer`;
    expect(() => unit(text)).toThrow(IrProblem);
  });

  test("every construct of the fixtures is supported", () => {
    for (const name of ["integers", "structures", "pointers", "control", "text", "floats"]) {
      const { module } = load(readFileSync(inRepository(`test/fixtures/c/run/${name}.c`), "utf8"));
      const refused = [...(module?.functions.values() ?? [])].flatMap(({ blocks }) =>
        blocks.flatMap(({ instructions, end }) =>
          [...instructions, end].filter(({ kind }) => kind === "unsupported"),
        ),
      );
      expect(refused).toEqual([]);
    }
  });
});

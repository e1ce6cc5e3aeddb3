/** Tests as files: inputs, expected output, the driver, and a script that builds the program and runs every test. */
import { relative } from "node:path";
import { argumentBytes, DRIVER, INPUTS_VARIABLE, inputsText, quoted, type NativeInputs } from "./driver.js";
import { HEADER } from "./library.js";

export interface SuiteTest {
  readonly inputs: NativeInputs;
  /** Expected exit status; absent: the test shows an error, or the status depends on addresses. */
  readonly status: number | undefined;
  readonly output: Uint8Array;
  /** The error that the test shows. */
  readonly error: string | undefined;
}

export interface SuiteProgram {
  readonly file: string;
  readonly defines: readonly string[];
  /** Where the files will be. */
  readonly folder: string;
}

/** Contents by name. */
export function suiteFiles(
  { file, defines, folder }: SuiteProgram,
  tests: readonly SuiteTest[],
): Map<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>([
    ["everypath.h", HEADER],
    ["driver.c", DRIVER],
    ["run.sh", scriptOf(relative(folder, file), defines, tests)],
  ]);
  tests.forEach((test, index) => {
    const name = nameOf(index);
    files.set(`${name}.inputs`, inputsText(test.inputs));
    files.set(`${name}.stdin`, Uint8Array.from(test.inputs.stdin));
    if (test.status !== undefined) files.set(`${name}.expected`, test.output);
  });
  return files;
}

const nameOf = (index: number): string => `${index + 1}`.padStart(4, "0");

function scriptOf(file: string, defines: readonly string[], tests: readonly SuiteTest[]): string {
  const flags = defines.map((define) => quoted([...new TextEncoder().encode(`-D${define}`)])).join(" ");
  const calls = tests.map(({ inputs, status, error }, index) => {
    const args = argumentBytes(inputs).map(quoted).join(" ");
    const wanted = status === undefined ? "error" : `${status}`;
    const note = error === undefined ? "" : ` # ${error.replaceAll(/\s+/g, " ")}`;
    return `run ${nameOf(index)} ${wanted} ${args}`.trimEnd() + note;
  });
  return `#!/usr/bin/env bash
# Builds the program with its inputs from files, and runs every test. CC and CFLAGS choose the compiler and its options;
# tests that show an error need CFLAGS='-g -fsanitize=address,undefined -fno-sanitize-recover=all'.
cd "$(dirname "$0")" || exit 125
\${CC:-cc} \${CFLAGS:--g -O0 -w} -isystem . ${flags} -o program driver.c ${quoted([...new TextEncoder().encode(file)])} -lm || exit 125
passed=0 failed=0
run() {
  local name=$1 wanted=$2
  shift 2
  ${INPUTS_VARIABLE}=$name.inputs ./program "$@" <"$name.stdin" >"$name.output" 2>"$name.stderr"
  local status=$?
  if [ "$wanted" = error ]; then [ $status -ne 0 ]; else [ $status -eq "$wanted" ] && cmp -s "$name.output" "$name.expected"; fi
  if [ $? -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "test $name: exit status $status, expected $wanted"; fi
}
${calls.join("\n")}
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
`;
}

/** The functions that request inputs, as C code that reads them from a file: links with the program of the user. */

export interface NativeInputs {
  /** Values for calls, in order. */
  readonly calls: readonly bigint[];
  /** Bytes of the arguments, by position from 1. */
  readonly args: ReadonlyMap<number, readonly number[]>;
  readonly stdin: readonly number[];
}

/** Inputs of a run, by the way in which a process gets them. */
export function nativeInputs(
  inputs: readonly {
    readonly source: "call" | number | "length" | "stdin";
    readonly values: readonly bigint[];
  }[],
): NativeInputs {
  const calls: bigint[] = [];
  const args = new Map<number, readonly number[]>();
  let length = 0;
  let stdin: readonly number[] = [];
  for (const { source, values } of inputs)
    if (source === "call") calls.push(...values);
    else if (source === "length") length = Number(values[0] ?? 0n);
    else if (source === "stdin") stdin = values.map(Number).slice(0, length);
    else args.set(source, values.map(Number));
  return { calls, args, stdin };
}

const NONDET: Readonly<Record<string, string>> = {
  bool: "_Bool",
  _Bool: "_Bool",
  char: "char",
  uchar: "unsigned char",
  short: "short",
  ushort: "unsigned short",
  int: "int",
  uint: "unsigned",
  unsigned: "unsigned",
  long: "long",
  ulong: "unsigned long",
  longlong: "long long",
  ulonglong: "unsigned long long",
};

/** Arguments from the first on, without what follows a null. */
export function argumentBytes({ args }: NativeInputs): (readonly number[])[] {
  return Array.from({ length: Math.max(0, ...args.keys()) }, (_, index) => {
    const bytes = args.get(index + 1) ?? [];
    const end = bytes.indexOf(0);
    return end < 0 ? bytes : bytes.slice(0, end);
  });
}

/** Bytes as a word of bash. */
export const quoted = (bytes: readonly number[]): string =>
  `$'${bytes
    .map((byte) =>
      byte >= 32 && byte < 127 && byte !== 39 && byte !== 92
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, "0")}`,
    )
    .join("")}'`;

/** Names the file with the values for calls, one on each line. */
export const INPUTS_VARIABLE = "EVERYPATH_INPUTS";
/** Exit status of the driver if the inputs do not suit the program. */
export const UNFED = 98;

export const inputsText = ({ calls }: NativeInputs): string =>
  calls.map((value) => `${BigInt.asUintN(64, value)}\n`).join("");

/** Definitions are weak: the program's own functions of these names come first. */
export const DRIVER = driver();

function driver(): string {
  const weak = "__attribute__((weak))";
  const requests = Object.entries(NONDET).map(
    ([name, type]) => `${weak} ${type} __VERIFIER_nondet_${name}(void) { return (${type})everypath_next(); }`,
  );
  const assumptions = ["assume", "__VERIFIER_assume", "__CPROVER_assume"].map(
    (name) => `${weak} void ${name}(int c) { if (!c) _exit(${UNFED}); }`,
  );
  const checks = ["check", "__VERIFIER_assert"].map(
    (name) => `${weak} void ${name}(int c) { if (!c) everypath_fail("${name}"); }`,
  );
  const errors = ["__VERIFIER_error", "reach_error"].map(
    (name) => `${weak} void ${name}(void) { everypath_fail("${name}"); }`,
  );
  return `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned long long everypath_next(void) {
  static FILE *inputs;
  unsigned long long value;
  if (!inputs && getenv("${INPUTS_VARIABLE}")) inputs = fopen(getenv("${INPUTS_VARIABLE}"), "r");
  if (!inputs || fscanf(inputs, "%llu", &value) != 1) { fflush(stdout); _exit(${UNFED}); }
  return value;
}
static void everypath_fail(const char *name) {
  fflush(stdout);
  fprintf(stderr, "everypath: %s fails\\n", name);
  abort();
}
${weak} void symbolic(void *memory, size_t size, const char *name) {
  unsigned char *bytes = memory;
  (void)name;
  if (size == 1 || size == 2 || size == 4 || size == 8) {
    unsigned long long value = everypath_next();
    memcpy(bytes, &value, size);
  } else for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)everypath_next();
}
${weak} void klee_make_symbolic(void *memory, size_t size, const char *name) { symbolic(memory, size, name); }
${weak} void klee_assume(unsigned long c) { if (!c) _exit(${UNFED}); }
${[...assumptions, ...checks, ...errors, ...requests].join("\n")}
`;
}

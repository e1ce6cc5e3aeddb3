/** Reads reports of sanitizers and of Valgrind: the classes of error that they may stand for. */

/** A part of a report, and the classes that it may stand for; the first that occurs counts. */
const REPORTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/ERROR: AddressSanitizer: .*(?:buffer-(?:overflow|underflow)|negative-size-param).*/, ["out of bounds"]],
  [/ERROR: AddressSanitizer: heap-use-after-free.*/, ["use after free"]],
  [/ERROR: AddressSanitizer: stack-use-after-return.*/, ["use after return"]],
  [/ERROR: AddressSanitizer: stack-use-after-scope.*/, ["use after scope"]],
  [/ERROR: AddressSanitizer: attempting double-free.*/, ["double free", "invalid free"]], // also for variables, whose memory looks like the heap
  [/ERROR: AddressSanitizer: attempting (?:free|to call malloc_usable_size).*/, ["invalid free"]],
  [/ERROR: AddressSanitizer: .*-param-overlap.*/, ["undefined behaviour"]],
  [
    /ERROR: AddressSanitizer: (?:SEGV|BUS|unknown-crash).*/,
    ["null pointer", "invalid pointer", "read-only memory", "out of bounds"],
  ],
  [/runtime error: (?:shift exponent|left shift of).*/, ["shift"]],
  [/runtime error: .*(?:signed integer overflow|negation of|cannot be represented in type).*/, ["overflow"]],
  [/runtime error: division by zero.*/, ["division by zero"]],
  [/runtime error: .*misaligned address.*/, ["misaligned"]],
  [/runtime error: .*null pointer.*/, ["null pointer"]],
  [/runtime error: .*(?:out of bounds|insufficient space|pointer index expression).*/, ["out of bounds"]],
  [/runtime error: .*/, ["undefined behaviour"]],
  [/WARNING: MemorySanitizer: use-of-uninitialized-value.*/, ["uninitialised"]],
  [/== .*(?:depends on uninitialised|Use of uninitialised|uninitialised byte).*/, ["uninitialised"]],
  [/== Process terminating with default action of signal 11.*/, ["null pointer", "invalid pointer"]],
  [/everypath: .* fails|Assertion .* failed.*/, ["assertion"]],
];

export function classesOf(
  stderr: string,
  signal: NodeJS.Signals | null,
): { readonly classes: ReadonlySet<string>; readonly report: string } {
  for (const [pattern, classes] of REPORTS) {
    const found = pattern.exec(stderr);
    if (found) return { classes: new Set(classes), report: lineAt(stderr, found.index) };
  }
  if (signal === "SIGABRT") return { classes: new Set(["abort"]), report: "the process aborts" };
  if (signal === "SIGILL" || signal === "SIGTRAP")
    return { classes: new Set(["abort"]), report: "the process traps" };
  if (signal === "SIGSEGV")
    return {
      classes: new Set(["null pointer", "invalid pointer"]),
      report: "the process accesses invalid memory",
    };
  return { classes: new Set(), report: "" };
}

function lineAt(text: string, index: number): string {
  const start = text.lastIndexOf("\n", index) + 1;
  const end = text.indexOf("\n", index);
  return text
    .slice(start, end < 0 ? undefined : end)
    .replace(/^=+\d+=+\s*/, "")
    .replace(/ at pc 0x.*$/, "")
    .replace(/ on address 0x[0-9a-f]+/, "")
    .slice(0, 300);
}

/**
 * Test files with `everySchedule` as a language: every test is a property. Loading lists the tests in the process of the code;
 * refuses, by name, features that need the framework. `engine.ts` searches the schedules.
 */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isPackageFile, type Place } from "../../code/bundle/index.js";
import type { Diagnostic, Sources, Span } from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";
import { listTests, type ListedTest, type Problem } from "./declared-tests.js";
import { explore } from "./explore.js";
import { frameworkSettings } from "./framework-settings.js";
import { frameworkOf } from "./recognising.js";
import { replayTest } from "./replay-test.js";
import { narrativeOf, userFrames } from "./story.js";
import type { SchedulesSubject, Test } from "./subject.js";
import { loadTestFile, type TestFile, type TestFileRequest } from "./test-file.js";

export async function load(input: Input, { sources }: LoadOptions): Promise<Loaded> {
  const request = await requestOf(input);
  if ("problem" in request) return nothing([diagnostic("code/needs-framework", request, input)]);
  const file = await loadTestFile(request);
  if ("diagnostics" in file) return nothing(renamed(file.diagnostics, input));
  addSources(file, input, sources);
  const listed = await listTests(file, request.framework);
  if ("problem" in listed) {
    const [frame] = userFrames(listed.stack ?? "", file.places);
    const span = frame && spanOf(frame.place, input, sources);
    return nothing([diagnostic("code/cannot-load", listed, input, span)]);
  }
  const test = (each: ListedTest): Test => testOf(each, request, file, input, sources);
  const tests = listed.filter(({ isSkipped }) => !isSkipped).map(test);
  if (tests.length === 0) return nothing([noTests(listed, input)]); // sound: test/session/schedules/check.test.ts
  const subject: SchedulesSubject = {
    kind: "schedules",
    properties: tests.map(({ property }) => property),
    tests,
  };
  return {
    model: undefined,
    subject,
    unsupported: [],
    diagnostics: listed.filter(({ isSkipped }) => isSkipped).map((each) => skipped(test(each))),
    replay: (asked) => replayTest(subject, asked),
  };
}

/** Bundles the file; does not run it. */
export async function inspect(input: Input): Promise<readonly Diagnostic[]> {
  const file = await loadTestFile({
    file: resolve(input.file),
    framework: frameworkOf(input.text),
    unsaved: input.text,
  });
  return "diagnostics" in file ? renamed(file.diagnostics, input) : [];
}

async function requestOf(input: Input): Promise<TestFileRequest | Problem> {
  const file = resolve(input.file);
  const framework = frameworkOf(input.text);
  const settings = await frameworkSettings(file, framework);
  return "problem" in settings ? settings : { file, framework, ...settings };
}

function testOf(
  { names, options, stack }: ListedTest,
  request: TestFileRequest,
  file: TestFile,
  input: Input,
  sources: Sources,
): Test {
  const [frame] = userFrames(stack, file.places);
  const span = frame && spanOf(frame.place, input, sources);
  const name = names.join(" > ");
  return {
    property: { name, kind: "assertion", span },
    options,
    explore: (given, watch) => explore({ ...request, names, body: noBody }, given, watch),
    narrative: ({ report }) => ({
      ...narrativeOf(report, file.places, (place) => spanOf(place, input, sources)),
      test: name,
    }),
  };
}

/** Realms look bodies up by name. */
const noBody = (): never => {
  throw new Error("a test of schedules runs in a realm");
};

/** Adds the user's files, for positions in reports and for the hash in traces. */
function addSources({ files }: TestFile, input: Input, sources: Sources): void {
  const isUsers = (file: string): boolean => !isPackageFile(file) && !file.includes("node_modules/");
  for (const file of [...new Set(files)].filter(isUsers).sort()) {
    const text = textOf(file);
    if (text !== undefined) sources.add(shownName(file, input), text);
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function shownName(file: string, input: Input): string {
  if (file === resolve(input.file)) return input.file;
  const name = relative(process.cwd(), file);
  return name.startsWith("..") ? file : name;
}

function spanOf({ file, line, column }: Place, input: Input, sources: Sources): Span {
  const name = shownName(file, input);
  const before = (sources.text(name) ?? "").split("\n").slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, column - 1);
  return { file: name, start, end: start };
}

const renamed = (diagnostics: readonly Diagnostic[], input: Input): Diagnostic[] =>
  diagnostics.map((each) => ({ ...each, span: { ...each.span, file: shownName(each.span.file, input) } }));

const nothing = (diagnostics: readonly Diagnostic[]): Loaded => ({
  model: undefined,
  unsupported: [],
  diagnostics,
});

const diagnostic = (code: string, { problem }: Problem, { file }: Input, span?: Span): Diagnostic => ({
  code,
  severity: "error",
  message: problem,
  span: span ?? { file, start: 0, end: 0 },
  hint: "run the file with its test framework",
});

const noTests = (listed: readonly ListedTest[], { file }: Input): Diagnostic => ({
  code: "code/no-tests",
  severity: "error",
  message:
    listed.length === 0
      ? "the file declares no test with everySchedule"
      : "every test with everySchedule is skipped",
  span: { file, start: 0, end: 0 },
  hint: "declare one: everySchedule(name, async (world) => { … }); a system of nodes is checked with --language typescript",
});

const skipped = ({ property: { name, span } }: Test): Diagnostic => ({
  code: "code/skipped-test",
  severity: "note",
  message: `'${name}' is not checked: the file marks it as skipped, or others as the only ones to run`,
  span: span ?? { file: "", start: 0, end: 0 },
});

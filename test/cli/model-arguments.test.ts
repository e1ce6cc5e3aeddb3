/** The command that repeats a trace builds the same model: `modelArguments` is the inverse of the parser of `replay`. */
import { Command } from "commander";
import { expect, test } from "vitest";
import { addModelOptions, modelOptions, type ModelFlags } from "../../src/cli/options.js";
import { modelArguments, type ModelOptions } from "../../src/session/request.js";

/** `replay` has no such options: they change how a model is searched, not its steps. The session sets `specification`. */
type OfSearches = "hierarchy" | "compat" | "symmetry" | "specification";

/** A new option fails to compile until it has a value here. */
const all: Required<Omit<ModelOptions, OfSearches>> = {
  language: "promela",
  defines: ["N=2", "FAST"],
  refines: "specification.pml",
  faults: ["crashes=3", "loss"],
  invariants: ["x < 2"],
  ltl: ["[] (x < 2)"],
  claims: ["claim.pml"],
  formulas: ["AG !deadlock"],
  targets: ["p >= 2"],
  asksBoundedness: true,
  loseWhenFull: true,
  endNeedsEmptyChannels: true,
  integers: "unbounded",
  refactor: "verify",
  arrays: "forbid",
  maxProcesses: 7,
  dialect: "cmurphi",
  deadlock: "stuck",
  loopLimit: 12,
  callDepth: 13,
  concrete: 3,
  symbolicArgs: ["1:8"],
  symbolicStdin: 4,
  compiler: "clang-16",
  tasks: ["tinyos"],
};

const parsed = (options: ModelOptions): ModelOptions =>
  modelOptions(
    addModelOptions(new Command().exitOverride())
      .parse(modelArguments(options), { from: "user" })
      .opts<ModelFlags>(),
  );

test("all options together", () => {
  expect(parsed(all)).toMatchObject(all);
});

test.each(Object.entries(all))("%s alone", (name, value) => {
  expect(parsed({ [name]: value })).toMatchObject({ [name]: value });
});

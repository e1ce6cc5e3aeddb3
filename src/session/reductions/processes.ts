/** Symmetry for models that are made from a `Program`: the model of representatives, and the way back from it. */
import {
  Canonicaliser,
  ProcessRenamer,
  compile,
  compileRecipe,
  settle,
  type CompiledModel,
  type CompileOptions,
} from "../../compile/index.js";
import {
  needsAllStates,
  type ConditionTest,
  type Diagnostic,
  type Program,
  type Property,
  type Reduced,
  type Refusal,
  type Sources,
  type Trace,
  type Words,
} from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import { dies } from "../../model/program-walk.js";
import type { ProcessSymmetry, RepresentativeForm, SettledProcesses } from "../../model/symmetry.js";
import { testSymmetry, type SymmetrySubject } from "../../transforms/symmetry/index.js";
import {
  endOf,
  planProcesses,
  withoutRemoval,
  type ProcessPlan,
  type ProcessRefusal,
} from "../../transforms/symmetry/processes/index.js";
import { Run, followRepresentatives } from "./following.js";

export const SYMMETRY = "symmetry";

/** A program as it was written, and the model that was made of it. */
export interface Compiled {
  readonly program: Program;
  readonly model: CompiledModel;
  readonly sources: Sources;
  readonly options: CompileOptions;
}

/** The symmetry of a program, computed on demand. */
export class ProcessSymmetries {
  readonly #compiled: Compiled;
  readonly #form: RepresentativeForm;
  #settled: SettledProcesses | string | undefined;
  #plan: ProcessPlan | undefined;

  constructor(compiled: Compiled, form: RepresentativeForm) {
    this.#compiled = compiled;
    this.#form = form;
  }

  /** Some proctype was declared to have interchangeable processes. */
  get isDeclared(): boolean {
    return (this.#compiled.program.interchangeable ?? []).length > 0;
  }

  /** Declarations that cannot be shown to be true. */
  get mistakes(): Diagnostic[] {
    const { program } = this.#compiled;
    return (program.interchangeable ?? []).flatMap(({ template, span }): Diagnostic[] => {
      const found = this.#whyNot(template);
      if (!found) return [];
      const { name } = nth(program.templates, template);
      return [
        {
          code: "promela/not-symmetric",
          severity: "error",
          message: `processes of '${name}' are declared to be interchangeable, and are not known to be: ${found.why}`,
          span: found.span,
          notes: [{ span, message: "declared here" }],
          hint: "use process identities as names alone, or remove the declaration",
        },
      ];
    });
  }

  get refused(): readonly Refusal[] {
    const settled = this.#settledProcesses;
    if (typeof settled === "string") return [{ name: SYMMETRY, why: settled }];
    const { refused, symmetry } = this.#planned;
    if (refused.length === 0 && !symmetry)
      return [{ name: SYMMETRY, why: "no two processes are of the same type" }];
    const { templates } = this.#compiled.program;
    return refused.map(({ template, why, span }) => ({
      name: SYMMETRY,
      why: `processes of '${nth(templates, template).name}' are not interchangeable: ${why}`,
      span,
    }));
  }

  get isPossible(): boolean {
    return typeof this.#settledProcesses !== "string" && this.#planned.symmetry !== undefined;
  }

  /** Undefined: representatives give the answer about the property. */
  refusal(property: Property): Refusal | undefined {
    const why = this.#whyWhole(property);
    return why === undefined ? undefined : needsAllStates(property, SYMMETRY, why);
  }

  apply(properties: readonly Property[]): Reduced {
    const { symmetry } = this.#planned;
    const settled = this.#settledProcesses;
    if (!symmetry || typeof settled === "string") throw new Error("there is no symmetry to use");
    return reduced(this.#compiled, settled, symmetry, properties);
  }

  #whyWhole(property: Property): string | undefined {
    const { program, model } = this.#compiled;
    // sound: test/session/process-symmetry.test.ts
    if (STATES_ALONE.has(property.kind)) return undefined;
    const index = model.invariants.indexOf(property);
    // sound: test/session/process-symmetry.test.ts
    if (index < 0) return "it looks at executions";
    const settled = this.#settledProcesses as SettledProcesses;
    const asked = planProcesses(program, settled, this.#form, [nth(program.invariants, index)]);
    // sound: test/session/process-symmetry.test.ts
    return JSON.stringify(asked.symmetry) === JSON.stringify(this.#planned.symmetry)
      ? undefined
      : "it distinguishes processes";
  }

  #whyNot(template: number): Omit<ProcessRefusal, "template"> | undefined {
    const { span } = nth(this.#compiled.program.templates, template);
    const settled = this.#settledProcesses;
    if (typeof settled === "string") return { why: settled, span };
    const refusal = this.#planned.refused.find((r) => r.template === template);
    const isSeveral = settled.templates.filter((t) => t === template).length > 1;
    return refusal ?? (isSeveral ? undefined : { why: "there are not two of them", span });
  }

  get #settledProcesses(): SettledProcesses | string {
    return (this.#settled ??= settle(this.#compiled.program));
  }

  get #planned(): ProcessPlan {
    const settled = this.#settledProcesses;
    if (typeof settled === "string") throw new Error(settled);
    return (this.#plan ??= planProcesses(this.#compiled.program, settled, this.#form));
  }
}

/** Kinds that depend on single states and steps, regardless of the moving process. */
const STATES_ALONE: ReadonlySet<Property["kind"]> = new Set(["assertion", "deadlock", "runtime"]);

function reduced(
  { program, model: original, sources, options }: Compiled,
  settled: SettledProcesses,
  symmetry: ProcessSymmetry,
  properties: readonly Property[],
): Reduced {
  const staying = { ...withoutRemoval(program), temporal: [] };
  const model = compile(staying, sources, { ...options, symmetry });
  const hasEnds = endOf(program, settled) !== undefined;
  const canonical = new Canonicaliser(program, model.layout, { ...symmetry, form: "canonical" });
  return {
    // The same objects, so that the caller can ask for them by identity.
    model: { ...model, properties: original.properties, invariants: original.invariants },
    names: [SYMMETRY],
    concretise: (trace, property) => {
      const followed = followRepresentatives(trace, model.steps, original.steps, {
        canonicalise: (words) => {
          canonical.canonicalise(words, 0, words.length);
        },
        isSameKind: () => false,
      });
      return hasEnds && property.kind === "deadlock" ? withRemovals(followed, original) : followed;
    },
    // Omits the removal of ended processes.
    keepsLengths: !hasEnds,
    test: conditionTest(staying, sources, original, symmetry, properties),
    transferCoverage: () => {
      copyCoverage(program, model.coverage.reached, original.coverage.reached);
      if (model.truncation && original.truncation)
        copyCoverage(program, model.truncation.reached, original.truncation.reached);
    },
  };
}

/** The trace after which every process that can be removed was. */
function withRemovals(trace: Trace, original: CompiledModel): Trace {
  const run = new Run(original.steps);
  const choices = [...trace.choices];
  for (const choice of choices) {
    run.expand();
    run.take(choice);
  }
  for (;;) {
    run.expand();
    const found = original.movesAt(run.state, 0).findIndex(({ edge }) => edge !== undefined && dies(edge));
    if (found < 0) return { ...trace, choices };
    run.take(found);
    choices.push(found);
  }
}

/** Statements belong to the whole program, before the removal of processes; a process that has ended counts as removed. */
function copyCoverage(program: Program, from: Uint8Array, to: Uint8Array): void {
  let [own, other] = [0, 0];
  for (const { locations } of program.templates) {
    const entered = new Set<number>();
    const ends: { readonly number: number; readonly at: number }[] = [];
    locations.forEach(({ edges }, at) => {
      for (const edge of edges) {
        if (dies(edge)) ends.push({ number: other, at });
        else if (from[own++] === 1) {
          to[other] = 1;
          entered.add(edge.to);
        }
        other++;
      }
    });
    for (const { number, at } of ends) if (entered.has(at)) to[number] = 1;
  }
}

/** The conditions of the symmetry, tested in representatives. */
function conditionTest(
  program: Program,
  sources: Sources,
  { invariants }: CompiledModel,
  symmetry: ProcessSymmetry,
  properties: readonly Property[],
): ConditionTest {
  let test: ((state: Words) => ReturnType<ConditionTest>) | undefined;
  return (state) => {
    test ??= testIn(program, sources, invariants, symmetry, properties);
    return test(state);
  };
}

function testIn(
  program: Program,
  sources: Sources,
  invariants: readonly Property[],
  symmetry: ProcessSymmetry,
  properties: readonly Property[],
): (state: Words) => ReturnType<ConditionTest> {
  const { recipe, layout } = compile(program, sources);
  const canonicaliser = new Canonicaliser(program, layout, symmetry);
  const renamer = new ProcessRenamer(program, layout, symmetry);
  const subject: SymmetrySubject = {
    // Its states are as wide as settled ones, from the start.
    original: compileRecipe(known(recipe, "the recipe"), canonicaliser.width),
    asked: invariants.flatMap((invariant, index) => (properties.includes(invariant) ? [index] : [])),
    sizes: symmetry.sets,
    renamed: (state, to) => renamer.renamed(state, to),
    canonicalise: (words, at) => {
      canonicaliser.canonicalise(words, at, words.length - at);
    },
    isCanonical: symmetry.form === "canonical",
  };
  return (state) =>
    canonicaliser.isSettled(state, 0, state.length)
      ? testSymmetry(subject, state.slice(0, canonicaliser.width))
      : undefined;
}

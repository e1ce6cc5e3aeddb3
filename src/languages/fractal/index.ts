/**
 * Architectures in a subset of Fractal ADL (`.fractal`): composites and primitives with behaviours, bindings, deployment, reconfiguration.
 *
 * In: text, and the definitions, types and behaviours that it names. Out: an `Architecture` or diagnostics. `elements.ts` reads XML, `files.ts` finds
 * definitions, `architecture.ts` resolves them, `plan.ts` orders the control operations.
 */
import {
  componentErrors,
  hasErrors,
  type Architecture,
  type ComponentError,
  type Diagnostic,
} from "../../model/index.js";
import { inTextOrder } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import { Resolver, type ReadBehaviour } from "./architecture.js";
import type { Definition } from "./ast.js";
import { Definitions, type FileAccess } from "./files.js";
import { Planning } from "./plan.js";

export type { FileAccess } from "./files.js";

export interface LoadedFractal {
  readonly architecture: Architecture | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface FractalOptions extends FileAccess {
  readonly readBehaviour: ReadBehaviour;
  /** Any control operation at any time. */
  readonly isFree?: boolean;
  readonly exposesSubcontrol?: boolean;
}

export function loadFractal(file: string, text: string, options: FractalOptions): LoadedFractal {
  const definitions = new Definitions(options);
  const definition = definitions.parse(file, text);
  const ended = (architecture: Architecture | undefined): LoadedFractal => ({
    architecture: definitions.isWrong ? undefined : architecture,
    diagnostics: inTextOrder(definitions.diagnostics),
  });
  if (!definition || hasErrors(definitions.diagnostics)) return ended(undefined);
  const resolver = new Resolver(definitions, options.readBehaviour);
  const name = definition.name.slice(definition.name.lastIndexOf(".") + 1);
  const resolved = resolver.component(name, definition, [definition.name]);
  const { subcontrol = "hidden" } = definition;
  if (subcontrol !== "hidden" && subcontrol !== "exposed")
    definitions.error(
      "fractal/subcontrol",
      definition.span,
      `subcontrol is hidden or exposed, not '${subcontrol}'`,
    );
  const exposesSubcontrol = options.exposesSubcontrol ?? subcontrol === "exposed";
  const errors = errorsOf(definition, definitions);
  if (definitions.isWrong) return ended(undefined);
  const { root, plan } = new Planning(definitions, resolver, resolved.component, exposesSubcontrol).whole(
    resolved,
  );
  const span = { file, start: 0, end: 0 };
  return ended({ root, ...(options.isFree === true ? {} : { plan }), errors, exposesSubcontrol, span });
}

function errorsOf({ errors, span }: Definition, definitions: Definitions): ReadonlySet<ComponentError> {
  const names = errors?.split(/[\s,]+/).filter((name) => name !== "") ?? ["unbound"];
  const found = new Set<ComponentError>();
  for (const name of names) {
    const known = componentErrors.find((each) => each === name);
    if (known) found.add(known);
    else
      definitions.error(
        "fractal/errors",
        span,
        `there is no class of errors '${name}'`,
        suggest(name, componentErrors) ?? componentErrors.join(", "),
      );
  }
  return found;
}

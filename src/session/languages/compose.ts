/** Adapts compose files to the registry: services become a product by vectors. */
import { serviceNetwork } from "../../compile/components/services.js";
import { watchErrors } from "../../compile/components/watching.js";
import { ltsProduct } from "../../compile/lts.js";
import { loadCompose } from "../../languages/compose/index.js";
import type { ComposeFile, Diagnostic } from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { parseDefine, unknownDefine } from "../defines.js";
import { asked } from "../lts/questions.js";
import type { Input } from "../request.js";

const properties = { early: "no call before ready", down: "no call to a service that is down" } as const;

export function load(input: Input, options: LoadOptions): Loaded {
  const { file, text } = input;
  const { compose, diagnostics } = loadCompose(file, text);
  const changed = compose && withDefines(compose, options.defines ?? [], file);
  if (!changed || "problem" in changed)
    return {
      model: undefined,
      unsupported: [],
      diagnostics: [...diagnostics, ...(changed ? [changed.problem] : [])],
    };
  const { network, errors, controls } = serviceNetwork(changed);
  const { span } = changed;
  const names = new Map([...errors].map(([label, kind]) => [label, properties[kind]]));
  const watched = watchErrors(network, names, Object.values(properties), span);
  const sets = new Map([
    ["O_D", (label: string) => controls.has(label)],
    ["O_E", (label: string) => errors.has(label)],
  ]);
  const found = asked(watched, ltsProduct(watched), { sets }, input, options);
  // To a relation, an error is a label like others.
  const { actions } = ltsProduct(network).model;
  return {
    ...found,
    model: found.model && { ...found.model, ...(actions ? { actions } : {}) },
    unsupported: [],
    diagnostics: [...diagnostics, ...found.diagnostics],
    assumptions: { notes: notesOf(changed) },
  };
}

/** What the file does not say. */
function notesOf({ crashes }: ComposeFile): string[] {
  const faults =
    crashes === 0 ? "no running service crashes" : `at most ${crashes} crash${crashes === 1 ? "" : "es"}`;
  return [`services call those that they depend on, link to or name as hosts; ${faults}`];
}

function withDefines(
  compose: ComposeFile,
  defines: readonly string[],
  file: string,
): ComposeFile | { readonly problem: Diagnostic } {
  let changed = compose;
  for (const define of defines) {
    const { name, value = "" } = parseDefine(define);
    const isService = compose.services.some((service) => service.name === value);
    if (name === "replace" && isService) changed = { ...changed, replaced: value };
    else if (name === "crashes" && /^[0-8]$/.test(value)) changed = { ...changed, crashes: Number(value) };
    else {
      if (name !== "replace" && name !== "crashes")
        return {
          problem: unknownDefine(
            name,
            `there is no constant '${name}': -D replace=SERVICE, -D crashes=N`,
            file,
          ),
        };
      const why =
        name === "replace" ? `there is no service '${value}' to replace` : "crashes is a number from 0 to 8";
      const span = { file, start: 0, end: 0 };
      return {
        problem: {
          code: "compose/define",
          severity: "error",
          message: why,
          span,
          hint: "-D replace=SERVICE, -D crashes=N",
        },
      };
    }
  }
  return changed;
}

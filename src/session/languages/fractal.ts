/** Adapts Fractal ADL to the registry: architectures become products by vectors. */
import { componentNetwork } from "../../compile/components/index.js";
import { loadFractal } from "../../languages/fractal/index.js";
import type { Architecture, ControlOperation, Diagnostic } from "../../model/index.js";
import { readBehaviour } from "../components/behaviours.js";
import { askedArchitecture } from "../components/questions.js";
import { transferByActions } from "../components/transfer.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { parseDefine, unknownDefine } from "../defines.js";
import type { Input } from "../request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { file, text, readFile = () => undefined } = input;
  const { defines = [], sources } = options;
  const constants = constantsIn(defines, file);
  const { architecture, diagnostics: found } = loadFractal(file, text, {
    readFile,
    addSource: (name, read) => sources.add(name, read),
    readBehaviour,
    isFree: constants.values.get("control") === "free",
    ...(constants.values.get("subcontrol") === "exposed" ? { exposesSubcontrol: true } : {}),
  });
  const diagnostics = [...constants.diagnostics, ...found];
  if (!architecture || constants.diagnostics.length > 0)
    return { model: undefined, unsupported: [], diagnostics };
  return isByActions(architecture)
    ? transferred(architecture, input, options, diagnostics)
    : modelOf(architecture, input, options, diagnostics);
}

const updates = ({ plan }: Architecture): readonly Extract<ControlOperation, { kind: "update" }>[] =>
  plan?.operations.filter((each) => each.kind === "update") ?? [];

const isByActions = (architecture: Architecture): boolean =>
  updates(architecture).some(({ map }) => map === undefined);

/** The system after the update, started in every image of a state before it. */
async function transferred(
  architecture: Architecture,
  input: Input,
  options: LoadOptions,
  diagnostics: readonly Diagnostic[],
): Promise<Loaded> {
  const wrong = (
    code: string,
    severity: "error" | "warning",
    message: string,
    hint?: string,
  ): Diagnostic => ({
    code,
    severity,
    message,
    span: updates(architecture)[0]?.span ?? architecture.span,
    ...(hint === undefined ? {} : { hint }),
  });
  const ended = (problem: Diagnostic): Loaded => ({
    model: undefined,
    unsupported: [],
    diagnostics: [...diagnostics, problem],
  });
  // sound: test/session/components.test.ts
  const others =
    architecture.plan?.operations.some(({ kind }) => kind === "add" || kind === "remove") === true;
  if (updates(architecture).length > 1 || others)
    return ended(
      wrong("fractal/update", "error", "an update by actions is the only change of the parts", "map states"),
    );
  const found = await transferByActions(architecture);
  if (!found)
    return ended(
      wrong("fractal/too-large", "error", "the system is too large for an update by actions", "map states"),
    );
  // sound: test/session/components.test.ts
  if (found.images === 0)
    return ended(wrong("fractal/no-image", "error", "no state of the old system has an image: map states"));
  const lost = found.lost.map((state) =>
    wrong("fractal/no-image", "warning", `the update has no image where ${state}`, 'by="states" maps states'),
  );
  const { controls, errors } = found.fresh;
  const asked = askedArchitecture(
    {
      controls,
      errors,
      network: found.network,
      operations: undefined,
      deployed: 0,
      classes: architecture.errors,
      span: architecture.root.span,
    },
    input,
    options,
  );
  const notes = [
    `only the system after the update is checked, from ${found.images} images of ${found.states} states`,
  ];
  return {
    ...asked,
    unsupported: [],
    diagnostics: [...diagnostics, ...lost, ...asked.diagnostics],
    // Runs from states without an image are no part of the system.
    // sound: test/session/components.test.ts
    assumptions: { notes, ...(lost.length > 0 ? { bound: "declared" } : {}) },
  };
}

function modelOf(
  architecture: Architecture,
  input: Input,
  options: LoadOptions,
  diagnostics: readonly Diagnostic[],
): Loaded {
  const found = askedArchitecture(
    {
      ...componentNetwork(architecture),
      deployed: architecture.plan?.deployed ?? 0,
      classes: architecture.errors,
      span: architecture.root.span,
    },
    input,
    options,
  );
  return { ...found, unsupported: [], diagnostics: [...diagnostics, ...found.diagnostics] };
}

const known: Readonly<Record<string, readonly string[]>> = {
  control: ["free", "planned"],
  subcontrol: ["exposed", "hidden"],
};

function constantsIn(
  defines: readonly string[],
  file: string,
): { readonly values: ReadonlyMap<string, string>; readonly diagnostics: readonly Diagnostic[] } {
  const values = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const text of defines) {
    const { name, value = "" } = parseDefine(text);
    const allowed = known[name];
    if (allowed?.includes(value) === true) values.set(name, value);
    else if (allowed)
      diagnostics.push({
        code: "fractal/define",
        severity: "error",
        message: `${name} is ${allowed.join(" or ")}, not '${value}'`,
        span: { file, start: 0, end: 0 },
      });
    else
      diagnostics.push(
        unknownDefine(name, `there is no constant '${name}': -D control=free, -D subcontrol=exposed`, file),
      );
  }
  return { values, diagnostics };
}

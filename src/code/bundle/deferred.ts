/**
 * Modules that files inside realms load by `require`: evaluated at first use, since every schedule creates a realm.
 *
 * Tree shaking does not apply to deferred files and their imports, and an injected file would then be evaluated at once
 * by every file. So a bundle with such files is built twice: first without them, to find out whether injected names are
 * used.
 */
import type { Metafile, Plugin } from "esbuild";
import { isInsideFile } from "./inside-files.js";

/** Omits them. */
export const withoutDeferred: Plugin = {
  name: "everypath-deferred",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind, importer }) =>
      kind === "require-call" && isInsideFile(importer)
        ? { path: `${mark}${path}`, external: true }
        : undefined,
    );
  },
};

const mark = "everypath-deferred:";

/** Whether any were omitted. */
export const hasDeferred = ({ inputs }: Metafile): boolean =>
  Object.values(inputs).some(({ imports }) => imports.some(({ path }) => path.startsWith(mark)));

/** Whether the bundle uses implementations of Node's global names. */
export function usesGlobals({ inputs, outputs }: Metafile): boolean {
  const globals = Object.keys(inputs).find((name) => /code\/builtins\/globals\.[jt]s$/.test(name))!;
  return inputs[globals]!.imports.some(({ path }) =>
    Object.values(outputs).some((output) => (output.inputs[path]?.bytesInOutput ?? 0) > 0),
  );
}

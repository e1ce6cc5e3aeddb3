/**
 * What files that run inside realms ask for by `require`: evaluated when it is first used, since a realm is made for every
 * schedule.
 *
 * A file that can be evaluated late can no longer be cut down to what is used of it, nor what it imports; and a file that is injected is
 * then evaluated at once, by every file there is. So a bundle with such files is made twice: first without them, which shows
 * whether anything of what is injected is used.
 */
import type { Metafile, Plugin } from "esbuild";
import { isInsideFile } from "./inside-files.js";

/** Leaves them out. */
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

/** Were any left out? */
export const hasDeferred = ({ inputs }: Metafile): boolean =>
  Object.values(inputs).some(({ imports }) => imports.some(({ path }) => path.startsWith(mark)));

/** Is anything in the bundle that the global names of Node stand for? */
export function usesGlobals({ inputs, outputs }: Metafile): boolean {
  const globals = Object.keys(inputs).find((name) => /code\/builtins\/globals\.[jt]s$/.test(name))!;
  return inputs[globals]!.imports.some(({ path }) =>
    Object.values(outputs).some((output) => (output.inputs[path]?.bytesInOutput ?? 0) > 0),
  );
}

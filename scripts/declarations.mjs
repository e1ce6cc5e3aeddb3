/**
 * Rolls the declarations up: each entry of the package gets one file, and types that entries share lie in files beside them.
 * Entries share files because a class must be one type, from wherever it is imported.
 */
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** `from`: a folder with the declarations of all modules; `entries`: module by path in `folder`, both without extensions. */
export async function rollUpDeclarations(from, folder, entries) {
  const input = Object.fromEntries(
    Object.entries(entries).map(([entry, module]) => [entry, join(from, `${module}.d.ts`)]),
  );
  const bundle = await rollup({ input, plugins: [dts()], external: /^(node:|vitest$)/, onwarn: refuse });
  const { output } = await bundle.write({
    dir: folder,
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: "types/[name].ts",
  });
  await bundle.close();
  return output.map(({ fileName }) => fileName);
}

function refuse({ code, message }) {
  throw new Error(`declarations: ${code}: ${message}`);
}

/** Imports that only Vite understands are refused where they stand: what they would give is made by its plugins. */
import type { Plugin } from "esbuild";

export function viteImports(): Plugin {
  return {
    name: "everypath-vite-imports",
    setup(build) {
      build.onResolve({ filter: /\?(raw|url|worker|sharedworker|inline|init)\b|^virtual:/ }, ({ path }) => ({
        errors: [
          {
            text: `the import ${JSON.stringify(path)} is made by Vite and cannot be followed into a world of its own`,
            detail: { code: "code/vite-import", hint: "run this test with { realm: 'host' }" },
          },
        ],
      }));
    },
  };
}

// Builds the explorer's page: `node scripts/build-page.mjs OUTPUT_FOLDER`. Returns the files that went into it.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

// The page is for users, no matter who builds it: without this, tests would get React with all its checks.
process.env.NODE_ENV = "production";

const page = fileURLToPath(new URL("../explorer", import.meta.url));

export async function buildPage(outDir) {
  const files = new Set();
  const collector = {
    name: "collect-files",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        for (const file of chunk.moduleIds ?? chunk.originalFileNames ?? [])
          files.add(resolve(page, file.replace(/^\0/, "")));
    },
  };
  await build({
    root: page,
    configFile: false,
    base: "./",
    logLevel: "warn",
    esbuild: { jsx: "automatic" },
    build: {
      outDir: resolve(outDir),
      emptyOutDir: false,
      target: "es2022",
      // The layout of graphs is a worker: a file, never an address made of data.
      assetsInlineLimit: 0,
      modulePreload: false,
      chunkSizeWarningLimit: 2000,
    },
    plugins: [collector],
    worker: { format: "es", plugins: () => [collector] },
  });
  return [...files];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage(process.argv[2]);

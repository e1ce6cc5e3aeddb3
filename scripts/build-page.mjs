// Builds the explorer's page: `node scripts/build-page.mjs OUTPUT_FOLDER`.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

// Whoever builds it, the page is for users: without this, tests would get React with all its checks.
process.env.NODE_ENV = "production";

export const buildPage = (outDir) =>
  build({
    root: fileURLToPath(new URL("../explorer", import.meta.url)),
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
    worker: { format: "es" },
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage(process.argv[2]);

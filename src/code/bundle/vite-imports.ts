/**
 * Imports as Vite understands them: texts (`?raw`), the addresses of files (`?url`, pictures and the like), and style sheets, which are
 * empty in its tests. What its plugins make is refused where it stands.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Plugin, PluginBuild } from "esbuild";

/** `directory`: what addresses are relative to. */
export function viteImports(directory: string): Plugin {
  return {
    name: "everypath-vite-imports",
    setup(build) {
      build.onResolve({ filter: /\?(worker|sharedworker|inline|init)\b|^virtual:/ }, ({ path }) => ({
        errors: [
          {
            text: `the import ${JSON.stringify(path)} is made by Vite and cannot be followed into a world of its own`,
            detail: { code: "code/vite-import", hint: "run this test with { realm: 'host' }" },
          },
        ],
      }));
      readWith(build, "raw", (file) => readFileSync(file, "utf8"));
      readWith(build, "url", (file) => addressOf(directory, file));
      build.onLoad({ filter: ASSETS }, ({ path }) => ({
        contents: addressOf(directory, path),
        loader: "text",
      }));
      build.onLoad({ filter: /\.(css|less|sass|scss|styl|stylus|pcss|postcss)$/ }, () => ({
        contents: "",
        loader: "empty",
      }));
    },
  };
}

/** `./a.svg?raw`: the file is found as any other, then read in that way. */
function readWith(build: PluginBuild, query: string, read: (file: string) => string): void {
  const namespace = `everypath-${query}`;
  build.onResolve({ filter: new RegExp(`\\?${query}$`) }, async ({ path, importer, resolveDir, kind }) => {
    const plain = path.slice(0, -query.length - 1);
    const found = await build.resolve(plain, { importer, resolveDir, kind });
    return found.errors.length > 0 ? { errors: found.errors } : { path: found.path, namespace };
  });
  build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: read(path), loader: "text" }));
}

/** As Vite serves it. */
const addressOf = (directory: string, file: string): string =>
  `/${relative(directory, file).replaceAll("\\", "/")}`;

const ASSETS =
  /\.(apng|bmp|png|jpe?g|jfif|pjpeg|pjp|gif|svg|ico|webp|avif|cur|jxl|mp4|webm|ogg|mp3|wav|flac|aac|opus|mov|m4a|vtt|woff2?|eot|ttf|otf|webmanifest|pdf|txt)$/;

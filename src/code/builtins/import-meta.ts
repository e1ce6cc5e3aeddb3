/** `import.meta` inside the realm, where more of it is asked for than its address and its environment. */
import { refuse } from "../world/failure.js";

/** As JSON: esbuild does not end when an object is put into a file that it injects. */
declare const everypathEnvironment: string;

const byVite = "it is made by Vite; import the modules by name, or use { realm: 'host' }";

export const everypathImportMeta = {
  url: "file:///main.js",
  get env(): Record<string, unknown> {
    return JSON.parse(everypathEnvironment) as Record<string, unknown>;
  },
  filename: "/main.js",
  dirname: "/",
  resolve: (): never => refuse("import.meta.resolve"),
  glob: (): never => refuse("import.meta.glob", byVite),
  globEager: (): never => refuse("import.meta.globEager", byVite),
};

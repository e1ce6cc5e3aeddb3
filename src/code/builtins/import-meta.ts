/** `import.meta` inside the realm, for properties other than its address and environment. */
import { refuse } from "../world/failure.js";

/** JSON, because esbuild hangs if an object is defined in an injected file. */
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

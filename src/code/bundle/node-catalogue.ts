/** Every module of Node: how a world provides it, or why it refuses it. Generates docs/node-modules.md. */

/**
 * `simulated`: under the control of the world. `pure`: computes, without time, input or output. `refused`: can be imported,
 * and throws with its name when used.
 */
export interface NodeModule {
  readonly kind: "simulated" | "pure" | "refused";
  readonly note: string;
}

const simulated = (note = ""): NodeModule => ({ kind: "simulated", note });
const pure = (note = ""): NodeModule => ({ kind: "pure", note });
const refused = (note: string): NodeModule => ({ kind: "refused", note });

const processes = "it starts processes, whose steps no schedule controls";
const inspection = "it inspects the real process";
const outside = "it reaches beyond the network of the world";

/** By name, without `node:`. */
export const nodeCatalogue: Readonly<Record<string, NodeModule>> = {
  assert: pure(),
  "assert/strict": pure(),
  async_hooks: simulated(
    "`AsyncLocalStorage`, `AsyncResource`; async functions are bundled as generators, with the same promise jobs; no hooks or numbers of executions",
  ),
  buffer: pure("`Buffer`; no `Blob`, `File`, `transcode`, and no call of `Buffer` without `new`"),
  child_process: refused(processes),
  cluster: refused(processes),
  console: simulated("kept per schedule"),
  constants: pure("those of Linux"),
  crypto: simulated(
    "random values from the world; hashes, `Hmac`, key derivation and ciphers by the installed Node, not as streams; no keys, signatures, `subtle`",
  ),
  dgram: simulated("over the network of the world; no multicast"),
  diagnostics_channel: simulated("channels that the code publishes to"),
  dns: refused(outside),
  "dns/promises": refused(outside),
  domain: refused("it catches errors that the verdict must show"),
  events: pure("no `captureRejections`"),
  fs: simulated("files in memory; no links, modes, watching"),
  "fs/promises": simulated("as `fs`"),
  http: simulated(
    "client and server over the network of the world, a connection for each request; no kept connections, upgrades, trailers",
  ),
  http2: refused(outside),
  https: refused(`${outside}: TLS is not simulated`),
  inspector: refused(inspection),
  "inspector/promises": refused(inspection),
  module: refused("modules are bundled before the test runs"),
  net: simulated("connections over the network of the world; no paths"),
  os: simulated("the same machine everywhere"),
  path: pure("as on POSIX systems"),
  "path/posix": pure(),
  "path/win32": refused("the platform of every world is Linux"),
  perf_hooks: simulated(
    "`performance` with marks and measures, by the virtual clock; no observers or histograms",
  ),
  process: simulated("fixed values; `exit`, `kill`, `binding`, `dlopen` and the like are refused"),
  punycode: pure("`toASCII`, `toUnicode`, `ucs2`"),
  querystring: pure(),
  readline: simulated("lines of a stream; no terminal"),
  "readline/promises": refused("it asks at a terminal"),
  repl: refused("it evaluates text that somebody types"),
  stream: simulated(
    "the classes, also called without `new`, `pipeline`, `finished`; no operators such as `map`",
  ),
  "stream/consumers": simulated(),
  "stream/promises": simulated(),
  "stream/web": refused("web streams are not simulated"),
  string_decoder: pure(),
  sys: refused("the former name of `util`: import that"),
  timers: simulated("by the virtual clock"),
  "timers/promises": simulated("by the virtual clock"),
  tls: refused(`${outside}: TLS is not simulated`),
  trace_events: refused(inspection),
  tty: simulated("there is no terminal"),
  url: pure("by the installed Node"),
  util: pure("no `parseArgs`, `styleText`, `MIMEType`; `types.isProxy` is refused"),
  "util/types": pure("`isProxy` is refused"),
  v8: refused(inspection),
  vm: refused("it evaluates text in further realms"),
  wasi: refused("it runs programs with access to the machine"),
  worker_threads: simulated("the main thread and message channels; no workers"),
  zlib: pure("whole buffers, by the installed Node; no streams"),
};

/** Modules that only some versions of Node have, always with the prefix `node:`. */
const prefixedModules: Readonly<Record<string, NodeModule>> = {
  sea: refused("it reads the running executable"),
  sqlite: refused("its databases live in real files or in memory that no schedule controls"),
  test: refused(
    "tests inside a test do not run; the entry point `everypath/node-test` replaces it in test files",
  ),
  "test/reporters": refused("tests inside a test do not run"),
};

/** Why a module is refused; undefined if it is not. */
export function refusalOf(name: string): string | undefined {
  const found = nodeCatalogue[name] ?? prefixedModules[name];
  if (!found)
    return name.startsWith("_") ? "it is internal to Node" : "this version of Everypath does not know it";
  return found.kind === "refused" ? found.note : undefined;
}

/** The page, in Markdown. */
export function cataloguePage(): string {
  const all = Object.entries({ ...nodeCatalogue, ...prefixedModules });
  const section = (title: string, text: string, kind: NodeModule["kind"], last: string): string => {
    const rows = all.filter(([, entry]) => entry.kind === kind);
    return [
      `## ${title}\n\n${text}\n`,
      ...table([["module", last], ...rows.map(([name, { note }]) => [`\`node:${name}\``, note])]),
    ].join("\n");
  };
  return [
    "# Modules of Node in a world",
    "",
    "Every module of Node, as [tests under every schedule](./code.md) and [systems](./systems.md) see it. A test compares this page with the code and",
    "with the list of modules of the installed Node; names of a module that are missing are refused when they are used.",
    "",
    section(
      "Simulated",
      "Time, input, output and random values come from the world, so that the search controls them.",
      "simulated",
      "extent",
    ),
    "",
    section(
      "Pure",
      "The same results as in Node: they depend on nothing but their arguments.",
      "pure",
      "extent",
    ),
    "",
    section(
      "Refused",
      "They can be imported, because packages import much that they never use. Using one makes the verdict `unknown`, and names it; an import in your\nown file is an error with its line (`code/not-supported`). Names that begin with `_` are internal to Node and refused.",
      "refused",
      "reason",
    ),
    "",
  ].join("\n");
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  const lengths = (i: number): number[] => [head, ...rows].map((row) => row[i]?.length ?? 0);
  const widths = head.map((_, i) => Math.max(3, ...lengths(i)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)];
}

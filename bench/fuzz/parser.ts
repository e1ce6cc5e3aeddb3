/**
 * Mutates models and parses them: the parser must answer any input with diagnostics.
 *
 * `parser.ts [COUNT] [SEED] [LANGUAGE]`: 100,000 inputs of Promela by default; `fsp`, `aut`, `vectors`, `fractal`, `plts` and `compose` are others. The corpus is our fixtures and, if installed, the models that
 * come with Spin. Prints failures with the seed that reproduces them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasErrors, Sources, type Diagnostic } from "../../src/model/diagnostic.js";
import { checkPromela } from "../../src/languages/promela/check.js";
import { parsePromela } from "../../src/languages/promela/front.js";
import { loadAut } from "../../src/languages/aut/index.js";
import { loadVectors } from "../../src/languages/aut/vectors.js";
import { loadFsp } from "../../src/languages/fsp/index.js";
import { loadCompose } from "../../src/languages/compose/index.js";
import { loadFractal } from "../../src/languages/fractal/index.js";
import { loadPlts } from "../../src/languages/fractal/plts.js";
import { componentNetwork } from "../../src/compile/components/index.js";
import { serviceNetwork } from "../../src/compile/components/services.js";
import { readBehaviour } from "../../src/session/components/behaviours.js";
import { inRepository } from "../../test/repository.js";

export interface FuzzResult {
  readonly inputs: number;
  /** Inputs parsed without errors, and therefore checked. */
  readonly accepted: number;
  readonly failures: readonly { readonly seed: number; readonly error: string; readonly text: string }[];
}

export interface FuzzRequest {
  readonly seed: number;
  readonly count: number;
  readonly language?: FuzzedLanguage;
}

export function fuzzParser({ seed, count, language = "promela" }: FuzzRequest): FuzzResult {
  const { folders, extension, read } = languages[language];
  const corpus = readCorpus(folders(), extension);
  const failures: { seed: number; error: string; text: string }[] = [];
  let accepted = 0;
  for (let i = 0; i < count; i++) {
    const random = new Random(seed + i);
    const text = mutate(random.pick(corpus), corpus, random);
    try {
      if (read(text)) accepted++;
    } catch (error) {
      failures.push({ seed: seed + i, error: String(error), text });
    }
  }
  return { inputs: count, accepted, failures };
}

const SERVER = "des (0, 2, 2)\n(0, get, 1)\n(1, put, 0)\n";

const languages = {
  promela: {
    folders: () => (existsSync(EXAMPLES) ? [FIXTURES, EXAMPLES] : [FIXTURES]),
    extension: /\.(pml|h)$/,
    read: readPromela,
  },
  fsp: {
    folders: () => [
      inRepository("examples/lts"),
      inRepository("examples/learning"),
      inRepository("test/fixtures"),
    ],
    extension: /\.(fsp|lts)$/,
    read: (text: string) => !hasErrors(loadFsp("fuzz.fsp", text).diagnostics),
  },
  aut: {
    folders: () => [inRepository("examples/lts"), inRepository("test/fixtures")],
    extension: /\.aut$/,
    read: (text: string) => !hasErrors(loadAut("fuzz.aut", text).diagnostics),
  },
  vectors: {
    folders: () => [inRepository("examples/lts"), inRepository("test/fixtures")],
    extension: /\.vectors$/,
    read: (text: string) => {
      const read = loadVectors(
        "fuzz.vectors",
        text,
        () => SERVER,
        () => undefined,
      );
      return !hasErrors(read.diagnostics);
    },
  },
  fractal: {
    folders: () => [inRepository("examples/components"), inRepository("test/fixtures")],
    extension: /\.fractal$/,
    read: (text: string) => !hasErrors(readFractal("fuzz.fractal", text)),
  },
  plts: {
    folders: () => [inRepository("test/fixtures/fractal")],
    extension: /\.plts$/,
    read: (text: string) => !hasErrors(loadPlts("fuzz.plts", text).diagnostics),
  },
  compose: {
    folders: () => [inRepository("examples/compose"), inRepository("test/fixtures")],
    extension: /compose\.yaml$/,
    read: (text: string) => {
      const { compose, diagnostics } = loadCompose("compose.yaml", text);
      if (compose) serviceNetwork(compose);
      return !hasErrors(diagnostics);
    },
  },
} as const;

/** Definitions beside the file are those of the examples; what is accepted is compiled. */
function readFractal(file: string, text: string): readonly Diagnostic[] {
  const { architecture, diagnostics } = loadFractal(file, text, {
    readFile: (path) => {
      const found = inRepository(join("examples/components", path));
      return existsSync(found) ? readFileSync(found, "utf8") : undefined;
    },
    addSource: () => undefined,
    readBehaviour,
  });
  if (architecture) componentNetwork(architecture);
  return diagnostics;
}

export type FuzzedLanguage = keyof typeof languages;

function readPromela(text: string): boolean {
  const input = { file: "fuzz.pml", text, defines: [], readFile: () => undefined, sources: new Sources() };
  const { model, diagnostics } = parsePromela(input);
  if (hasErrors(diagnostics)) return false;
  return !hasErrors(checkPromela(model).diagnostics);
}

// --------------------------------------------------------------------------------------------- mutations

function mutate(text: string, corpus: readonly string[], random: Random): string {
  let result = text;
  for (let n = random.below(4) + 1; n > 0; n--) {
    result = random.below(2) === 0 ? mutateBytes(result, random) : mutateTokens(result, corpus, random);
  }
  return result;
}

function mutateBytes(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const length = random.below(20);
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(random.below(0x10000)) + text.slice(at + 1);
    case 3:
      return text.slice(0, at);
    default:
      return text.slice(0, at) + text.slice(at, at + length).repeat(random.below(8)) + text.slice(at);
  }
}

/** Words, numbers, runs of operators, white space. */
const tokensOf = (text: string): string[] => text.match(/\w+|\s+|[^\w\s]/g) ?? [];

function mutateTokens(text: string, corpus: readonly string[], random: Random): string {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return text;
  const at = random.below(tokens.length);
  const other = random.pick(tokens);
  const foreign = random.pick(tokensOf(random.pick(corpus)));
  const changes: readonly (() => unknown)[] = [
    () => tokens.splice(at, random.below(6) + 1),
    () => tokens.splice(at, 0, other),
    () => (tokens[at] = other),
    () => (tokens[at] = foreign),
    () => tokens.splice(at, 0, ...tokens.slice(at, at + random.below(30))),
    () => tokens.splice(at, 0, ...tokens.splice(random.below(tokens.length), 10)),
  ];
  random.pick(changes)();
  return tokens.join("");
}

// ------------------------------------------------------------------------------------------------ corpus

const FIXTURES = inRepository("test/fixtures/promela");
const EXAMPLES = process.env["SPIN_EXAMPLES"] ?? "/usr/share/doc/spin/examples/Examples";

/** Longer files take more time without showing more. */
const MAX_LENGTH = 5000;

function readCorpus(folders: readonly string[], extension: RegExp): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => extension.test(name))
      .sort()
      .map((name) => join(folder, name)),
  );
  return files.map((file) => readFileSync(file, "utf8")).filter((text) => text.length <= MAX_LENGTH);
}

/** Mulberry32: small, seeded, and good enough to choose mutations. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

// -------------------------------------------------------------------------------------------------- main

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const count = Number(process.argv[2] ?? 100_000);
  const seed = Number(process.argv[3] ?? 1);
  const language = (process.argv[4] ?? "promela") as FuzzedLanguage;
  if (!(language in languages)) throw new Error(`languages: ${Object.keys(languages).join(", ")}`);
  const started = performance.now();
  const { accepted, failures } = fuzzParser({ seed, count, language });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${count} inputs of ${language} from seed ${seed} in ${seconds} s: ${accepted} accepted, ${failures.length} failures`,
  );
  for (const { seed: at, error, text } of failures.slice(0, 5)) {
    console.log(`\nseed ${at}: ${error}\n${text.slice(0, 2000)}`);
  }
  process.exitCode = failures.length > 0 ? 1 : 0;
}

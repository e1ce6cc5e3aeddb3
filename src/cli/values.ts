/** Parses values of options, or throws a `BadValue` that lists the valid ones. */
import { BadValue } from "./usage.js";
import { nth } from "../model/known.js";

/** One of a few words. `later` are words that the contract names and this version does not know. */
export const oneOf = <T extends string>(
  option: string,
  words: readonly T[],
  later: readonly string[] = [],
): OneOf<T> => {
  const parse = (value: string): T => {
    const word = words.find((w) => w === value);
    if (word !== undefined) return word;
    const problem = later.includes(value) ? "is not supported yet" : "is unknown";
    throw new BadValue(value, `'${option} ${value}' ${problem}`, `${option} takes ${listed(words)}`);
  };
  return Object.assign(parse, { words });
};

/** The words are for completion. */
export interface OneOf<T extends string> {
  (value: string): T;
  readonly words: readonly T[];
}

/** A whole number of at least `least` and at most `most`; `1e6` and `1_000_000` are fine. */
export const count =
  (option: string, least = 1, most = Infinity) =>
  (value: string): number => {
    const number = /^\d[\d_]*(e\d+)?$/i.test(value) ? Number(value.replaceAll("_", "")) : NaN;
    if (Number.isSafeInteger(number) && number >= least && number <= most) return number;
    const greatest = Number(value) > Number.MAX_SAFE_INTEGER ? Math.min(most, Number.MAX_SAFE_INTEGER) : most;
    const range = greatest === Infinity ? `at least ${least}` : `${least} to ${greatest}`;
    throw new BadValue(
      value,
      /^-?\d+$/.test(value)
        ? `'${value}' is out of range for ${option} (${range})`
        : `'${value}' is not a valid number for ${option}`,
      `${option} must be a whole number, ${range}`,
    );
  };

/** `N` or `all`. */
export const countOrAll =
  (option: string) =>
  (value: string): number => {
    if (value === "all") return Infinity;
    try {
      return count(option)(value);
    } catch {
      throw new BadValue(
        value,
        `'${value}' is not a valid number for ${option}`,
        `${option} must be a number from 1, or 'all'`,
      );
    }
  };

/** `500M`, `2G`, `1.5GiB`, or bytes. */
export const size =
  (option: string) =>
  (value: string): number => {
    const match = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])(i?))?b?$/i.exec(value);
    const power = " kmgt".indexOf(match?.[2]?.toLowerCase() ?? " ");
    const bytes = match ? Math.floor(Number(match[1]) * (match[3] ? 1024 : 1000) ** power) : 0;
    if (bytes >= 1) return bytes;
    throw new BadValue(
      value,
      `'${value}' is not a valid size for ${option}`,
      `${option} must be a size such as 500M, 2G or 1.5GiB`,
    );
  };

/** `90`, `90s`, `5m`, `1.5h`, `250ms`, in milliseconds. */
export const duration =
  (option: string) =>
  (value: string): number => {
    const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?$/i.exec(value);
    const ms = match ? Number(match[1]) * (unitMs[(match[2] ?? "s").toLowerCase()] ?? NaN) : NaN;
    if (Number.isFinite(ms) && ms > 0) return ms;
    throw new BadValue(
      value,
      `'${value}' is not a valid duration for ${option}`,
      `${option} must be a time such as 90s, 5m or 1.5h`,
    );
  };

/** For options that can be given several times. */
export const collect = (value: string, previous: readonly string[] | undefined): readonly string[] => [
  ...(previous ?? []),
  value,
];

/** `-D NAME[=VALUE]`. */
export const collectDefines = (value: string, previous: readonly string[] | undefined): readonly string[] => {
  if (/^[A-Za-z_]\w*(=.*)?$/s.test(value)) return collect(value, previous);
  throw new BadValue(value, `'${value}' does not define a name`, "-D takes NAME or NAME=VALUE");
};

/** `--invariant EXPRESSION`. */
export const collectInvariants = (
  value: string,
  previous: readonly string[] | undefined,
): readonly string[] => {
  if (value.trim() !== "") return collect(value, previous);
  throw new BadValue(
    "--invariant",
    "the expression is empty",
    "--invariant takes a condition such as 'x < 5'",
  );
};

/** `--ltl FORMULA`. */
export const collectFormulas = (
  value: string,
  previous: readonly string[] | undefined,
): readonly string[] => {
  if (value.trim() !== "") return collect(value, previous);
  throw new BadValue("--ltl", "the formula is empty", "--ltl takes a formula such as '[] (x < 5)'");
};

/** `--formula FORMULA`. */
export const collectActionFormulas = (
  value: string,
  previous: readonly string[] | undefined,
): readonly string[] => {
  if (value.trim() !== "") return collect(value, previous);
  throw new BadValue("--formula", "the formula is empty", "--formula takes a formula such as 'AG [a] false'");
};

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

const listed = (words: readonly string[]): string =>
  words.length === 1 ? nth(words, 0) : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** `crashes=3,loss`: names with or without a limit. */
export function faultList(value: string, previous: readonly string[] = []): readonly string[] {
  const all = value.split(",").map((text) => text.trim());
  const bad = all.find((text) => !/^[^=,\s][^=,]*(=\d{1,10})?$/.test(text));
  if (bad === undefined) return [...previous, ...all];
  throw new BadValue(
    value,
    `'${bad}' is not a fault`,
    "--faults takes names with or without a limit: crashes=3,loss",
  );
}

/** `2/4`: the second of four. */
export function shardOf(value: string): { readonly index: number; readonly of: number } {
  const [, index = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(value) ?? []).map(Number);
  if (index >= 1 && index <= of) return { index, of };
  throw new BadValue(value, `'${value}' is not a shard`, "--shard 2/4 is the second of four");
}

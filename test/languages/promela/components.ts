/** Models as components, for tests and benches. */
import { renderAut } from "../../../src/languages/aut/index.js";
import { readInput, registry, toLts } from "../../../src/session/index.js";
import type { Lts } from "../../../src/model/index.js";

export const AS_COMPONENTS = "/* everypath: components */\n";

export async function systemOf(text: string, options: object = {}): Promise<Lts | string> {
  const { lts, diagnostics } = await toLts(
    { file: "m.pml", text: `${AS_COMPONENTS}${text}` },
    options,
    registry,
  );
  return lts ?? diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n");
}

export async function sizeOf(text: string, options: object = {}): Promise<string> {
  const lts = await systemOf(text, options);
  return typeof lts === "string" ? lts : `${lts.states}/${lts.targets.length}`;
}

export async function autOf(text: string): Promise<string> {
  const lts = await systemOf(text);
  return typeof lts === "string" ? lts : renderAut(lts);
}

export const readExample = (file: string): string => {
  const input = readInput(file);
  if ("code" in input) throw new Error(input.message);
  return input.text;
};

const indices = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

/** The dispatcher of Chiron-lite and its artists, with a set, bits or an ordered array. */
export function chironLite(n: number, kind: "set" | "bits" | "queue", isAlone: boolean): string {
  const store = {
    set: `enum artist = { ${indices(n)
      .map((i) => `a${i}`)
      .join(", ")} };`,
    bits: "",
    queue: "",
  }[kind];
  const locals = {
    set: `set s = [${n}] of { artist };`,
    bits: `bit s[${n + 1}];`,
    queue: `byte list[${n + 1}]; byte size; byte i; byte told;`,
  }[kind];
  const add = (i: number): string =>
    ({
      set: `s.insert(a${i})`,
      bits: `s[${i}] = 1`,
      queue: `i = 0; do :: i < size && list[i] != ${i} -> i++ :: i == size -> list[i] = ${i}; size++; break :: i < size && list[i] == ${i} -> break od; i = 0`,
    })[kind];
  const remove = (i: number): string =>
    ({
      set: `s.erase(a${i})`,
      bits: `s[${i}] = 0`,
      queue: `${unregister(i)}`,
    })[kind];
  const tell = {
    set: indices(n)
      .map((i) => `if :: s.find(a${i}) >= 0 -> n[${i}]!ntf :: else fi`)
      .join("; "),
    bits: indices(n)
      .map((i) => `if :: s[${i}] -> n[${i}]!ntf :: else fi`)
      .join("; "),
    queue: "told = 0; do :: told < size -> n[list[told]]!ntf; told++ :: told == size -> break od; told = 0",
  }[kind];
  const options = indices(n)
    .map((i) => `:: d?reg,${i} -> ${add(i)} :: d?unreg,${i} -> ${remove(i)}`)
    .join("\n");
  const artists = indices(n).map(
    (i) =>
      `active proctype Artist${i}() { do :: d!reg,${i}; do :: n[${i}]?ntf :: d!unreg,${i} -> break od od }`,
  );
  return `mtype = { reg, unreg, ntf }; mtype:x = { x }; ${store}
    chan d = [0] of { mtype, byte }; chan n[${n + 1}] = [0] of { mtype };
    chan call = [0] of { mtype:x }; chan ack = [0] of { mtype:x };
    active proctype Dispatcher() { ${locals} do ${options} :: call?x -> ${tell}; ack!x od }
    ${isAlone ? "" : artists.join("\n")}`;
}

/** Later entries move down, and the cell behind the last is cleared (the published listing clears a cell of the size instead). */
export const unregister = (artist: number, clears = "list[size] = 0"): string =>
  `i = 0; do :: i < size && list[i] != ${artist} -> i++ :: else -> break od;
   if :: i < size -> do :: i + 1 < size -> list[i] = list[i + 1]; i++ :: else -> break od; size--; ${clears} :: else fi; i = 0`;

/** Registration alone: of an ordered list, or of bits. */
export function registration(n: number, kind: "queue" | "set", clears?: string): string {
  const add = (i: number): string =>
    `i = 0; do :: i < size && list[i] != ${i} -> i++ :: else -> break od; if :: i == size -> list[i] = ${i}; size++ :: else fi; i = 0`;
  const options = indices(n).map((i) =>
    kind === "set"
      ? `:: R?${i} -> s.insert(a${i}) :: U?${i} -> s.erase(a${i})`
      : `:: R?${i} -> ${add(i)} :: U?${i} -> ${unregister(i, clears)}`,
  );
  const locals = kind === "set" ? `set s = [${n}] of { artist };` : `byte list[${n + 1}]; byte size; byte i;`;
  return `enum artist = { ${indices(n)
    .map((i) => `a${i}`)
    .join(", ")} };
    chan R = [0] of { byte }; chan U = [0] of { byte };
    active proctype Dispatcher() { ${locals} do ${options.join("\n")} od }`;
}

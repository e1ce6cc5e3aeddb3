/** The binary format of WebAssembly: sections, numbers and the instructions that step code needs. */

/** Instructions by their names in the text format. */
export const Op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  drop: 0x1a,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  load: 0x28,
  loadF64: 0x2b,
  load8: 0x2d,
  store: 0x36,
  storeF64: 0x39,
  store8: 0x3a,
  const: 0x41,
  const64: 0x42,
  constF64: 0x44,
  eqz: 0x45,
  eq: 0x46,
  ne: 0x47,
  ltS: 0x48,
  ltU: 0x49,
  gtS: 0x4a,
  gtU: 0x4b,
  leS: 0x4c,
  leU: 0x4d,
  geS: 0x4e,
  geU: 0x4f,
  clz: 0x67,
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  divS: 0x6d,
  remS: 0x6f,
  and: 0x71,
  or: 0x72,
  xor: 0x73,
  shl: 0x74,
  shrS: 0x75,
  shrU: 0x76,
  shl64: 0x86,
  addF64: 0xa0,
  extendU: 0xad,
  prefix: 0xfc,
  select: 0x1b,
} as const;

/** `memory.fill`, behind `Op.prefix`. */
export const MEMORY_FILL = 11;
export const I32 = 0x7f;
/** The type of a block without a result. */
export const NO_RESULT = 0x40;

export function unsigned(value: number, to: number[]): void {
  let rest = value;
  while (rest >= 128) {
    to.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  to.push(rest);
}

/** Of 32 bits. */
export function signed(value: number, to: number[]): void {
  for (let rest = value | 0; ;) {
    const low = rest & 127;
    rest >>= 7;
    if ((rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0)) {
      to.push(low);
      return;
    }
    to.push(low | 128);
  }
}

export interface FunctionCode {
  /** For profiles and stack traces. */
  readonly name: string;
  readonly parameters: number;
  readonly hasResult: boolean;
  readonly locals: number;
  readonly code: readonly number[];
}

export interface Import {
  readonly name: string;
  readonly parameters: number;
}

export interface Binary {
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionCode[];
  readonly globals: readonly number[];
  /** Names of functions (by number, imports first) and of globals for the host. */
  readonly exports: readonly {
    readonly name: string;
    readonly kind: "function" | "global";
    readonly index: number;
  }[];
  readonly memory: { readonly maximumPages: number; readonly isWide: boolean };
}

/** The bytes of a module that imports the memory `host.memory` and its functions from `host`. */
export function encode({ imports, functions, globals, exports, memory }: Binary): Uint8Array<ArrayBuffer> {
  const types = new Map<string, number>();
  const typeOf = (parameters: number, hasResult: boolean): number => {
    const key = `${parameters}${hasResult ? "r" : ""}`;
    if (!types.has(key)) types.set(key, types.size);
    return types.get(key)!;
  };
  const importTypes = imports.map((f) => typeOf(f.parameters, true));
  const functionTypes = functions.map((f) => typeOf(f.parameters, f.hasResult));
  const typeEntries = [...types.keys()].map((key) => {
    const hasResult = key.endsWith("r");
    const parameters = parseInt(key, 10);
    return [
      0x60,
      ...leb(parameters),
      ...Array<number>(parameters).fill(I32),
      ...(hasResult ? [1, I32] : [0]),
    ];
  });
  const memoryImport = [
    ...text("host"),
    ...text("memory"),
    2,
    memory.isWide ? 7 : 3, // shared, with a maximum
    ...leb(0),
    ...leb(memory.maximumPages),
  ];
  const kinds = { function: 0, global: 3 };
  const parts = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, typeEntries),
    section(2, [
      memoryImport,
      ...imports.map((f, i) => [...text("host"), ...text(f.name), 0, ...leb(importTypes[i]!)]),
    ]),
    section(
      3,
      functionTypes.map((t) => leb(t)),
    ),
    section(
      6,
      globals.map((value) => {
        const entry = [I32, 1, Op.const];
        signed(value, entry);
        return [...entry, Op.end];
      }),
    ),
    section(
      7,
      exports.map(({ name, kind, index }) => [...text(name), kinds[kind], ...leb(index)]),
    ),
    section(10, functions.map(bodyOf)),
    nameSection(functions, imports.length),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function nameSection(functions: readonly FunctionCode[], first: number): number[] {
  const names = [...leb(functions.length)];
  functions.forEach(({ name }, i) => names.push(...leb(first + i), ...text(name)));
  const content = [...text("name"), FUNCTION_NAMES, ...leb(names.length), ...names];
  return [CUSTOM, ...leb(content.length), ...content];
}

const CUSTOM = 0;
const FUNCTION_NAMES = 1;

function bodyOf({ locals, code }: FunctionCode): number[] {
  const head = locals > 0 ? [1, ...leb(locals), I32] : [0];
  const size = leb(head.length + code.length + 1);
  return size.concat(head, code as number[], Op.end);
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  if (entries.length === 0) return [];
  const count = leb(entries.length);
  const size = entries.reduce((sum, entry) => sum + entry.length, count.length);
  const bytes = [id, ...leb(size), ...count];
  for (const entry of entries) for (const byte of entry) bytes.push(byte);
  return bytes;
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  unsigned(value, bytes);
  return bytes;
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...leb(bytes.length), ...bytes];
}

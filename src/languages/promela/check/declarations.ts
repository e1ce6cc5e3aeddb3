/** Checks declarations (types, sizes, initialisers) and creates their symbols. */
import type { Name, Declaration, Declarator, MtypeUnit, TypedefUnit, TypeName } from "../ast.js";
import type { ChannelShape, ProcessSymbol, TypedefSymbol, ValueType, VariableSymbol } from "../check.js";
import { foreignWord } from "../hints.js";
import { requireConstant } from "./constants.js";
import { isPredefined, type Context, type MutableScope } from "./context.js";
import { suggest } from "../../toolkit/spelling.js";
import { findArray, flatten, flattenedLength, INT } from "./types.js";

/** Storage and scope of a declaration's variables. */
export interface Home {
  readonly storage: VariableSymbol["storage"];
  readonly process?: ProcessSymbol;
  readonly scope?: MutableScope;
}

/** Symbols of one declaration, in order. The caller enters them into a scope. */
export function declareVariables(context: Context, declaration: Declaration, home: Home): VariableSymbol[] {
  context.expandedFrom = declaration.expandedFrom;
  const type = resolveType(context, declaration.type);
  return declaration.variables.map((declarator) => {
    checkName(context, declarator.name);
    checkVisibility(context, declaration, declarator, type, home);
    const size = declarator.size && arraySize(context, declarator, declarator.size);
    const symbol: VariableSymbol = {
      kind: "variable",
      name: declarator.name.text,
      storage: home.storage,
      type: withWidth(context, type, declarator),
      size,
      visibility: declaration.visibility,
      declarator,
      declaration,
      process: home.process,
      scope: home.scope,
      channel: channelShape(context, declarator, type),
    };
    if (home.storage === "parameter") checkParameter(context, symbol);
    context.info.declared.set(declarator, symbol);
    return symbol;
  });
}

/** The parser reports other conflicts, which depend on preceding declarations. */
function checkName(context: Context, name: Name): void {
  if (!isPredefined(name.text)) return;
  context.error("reserved-name", `\`${name.text}\` is a predefined variable`, name.span);
}

// ---------------------------------------------------------------------------------------------- types

export function resolveType(context: Context, type: TypeName): ValueType {
  const resolved = typeNamed(context, type);
  context.info.typeNames.set(type, resolved);
  return resolved;
}

function typeNamed(context: Context, type: TypeName): ValueType {
  switch (type.kind) {
    case "basicType":
      return basicType(context, type);
    case "namedType":
      return namedType(context, type);
    case "abstractType": // replaced, or an error that was reported
      return INT;
  }
}

function basicType(context: Context, type: Extract<TypeName, { kind: "basicType" }>): ValueType {
  if (type.subtype && type.name !== "mtype") {
    context.error(
      "not-an-mtype",
      `only \`mtype\` has subtypes: \`${type.name}:${type.subtype.text}\``,
      type.span,
    );
  }
  if (type.name === "mtype") return { kind: "mtype", subtype: type.subtype?.text };
  if (type.name === "unsigned") return { kind: "unsigned", bits: DEFAULT_UNSIGNED_BITS };
  return { kind: type.name };
}

/** Spin's default after its error about a missing width. */
const DEFAULT_UNSIGNED_BITS = 16;

function namedType(context: Context, type: Extract<TypeName, { kind: "namedType" }>): ValueType {
  const typedef = context.info.typedefs.get(type.name.text);
  if (typedef) return { kind: "record", typedef };
  const hint =
    foreignWord(type.name.text) ?? suggest(type.name.text, [...context.info.typedefs.keys(), ...BASIC]);
  context.error("unknown-type", `there is no type \`${type.name.text}\``, type.span, { hint });
  return INT;
}

const BASIC = ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];

function withWidth(context: Context, type: ValueType, declarator: Declarator): ValueType {
  const { width, name } = declarator;
  if (type.kind !== "unsigned") {
    if (width) {
      const message = `only an \`unsigned\` variable has a width: \`${name.text}\``;
      context.error("width-of-non-unsigned", message, width.span, { hint: "write `unsigned x : n`" });
    }
    return type;
  }
  if (!width) {
    context.error("missing-width", `unsigned \`${name.text}\` needs a width`, declarator.span, {
      hint: `write \`unsigned ${name.text} : n\`, with n from 1 to 31`,
    });
    return type;
  }
  if (width.value < 1 || width.value > 31) {
    context.error("bad-width", `the width of an unsigned is 1 to 31 bits, found ${width.value}`, width.span);
    return type;
  }
  return { kind: "unsigned", bits: width.value };
}

function arraySize(context: Context, declarator: Declarator, size: NonNullable<Declarator["size"]>): number {
  const value = requireConstant(context, size, `the size of array \`${declarator.name.text}\``);
  if (value !== undefined && value <= 0) {
    context.error("bad-array-size", `array \`${declarator.name.text}\` has size ${value}`, size.span);
  }
  if (value !== undefined && value > MAX_ARRAY_SIZE) {
    const message = `array \`${declarator.name.text}\` has ${value} elements: at most ${MAX_ARRAY_SIZE} are possible`;
    context.error("bad-array-size", message, size.span);
  }
  return value !== undefined && value > 0 ? Math.min(value, MAX_ARRAY_SIZE) : 1;
}

/** Every element is part of every state: larger arrays exceed any search. */
const MAX_ARRAY_SIZE = 100_000;

function checkVisibility(
  context: Context,
  declaration: Declaration,
  declarator: Declarator,
  type: ValueType,
  home: Home,
): void {
  if (declaration.visibility !== "hidden") return;
  if (type.kind === "bit" || type.kind === "bool") {
    context.error(
      "hidden-bit",
      `bit variable \`${declarator.name.text}\` cannot be hidden`,
      declarator.span,
      {
        hint: "make it a `byte`",
      },
    );
  }
  if (home.storage === "local") {
    context.error(
      "hidden-local",
      `only global variables can be hidden: \`${declarator.name.text}\``,
      declarator.span,
    );
  }
}

function checkParameter(context: Context, symbol: VariableSymbol): void {
  const { declarator, name } = symbol;
  if (declarator.initializer) {
    const { span } = declarator.initializer;
    context.error("initialised-parameter", `parameter \`${name}\` cannot have an initial value`, span);
  }
  if (symbol.size !== undefined) {
    const hint = "pass the elements one by one, or make the array global";
    context.error("array-parameter", `parameter \`${name}\` cannot be an array`, declarator.span, { hint });
  }
  const inner = symbol.type.kind === "record" ? findArray(symbol.type.typedef, false) : undefined;
  if (inner) {
    context.error(
      "array-parameter",
      `parameter \`${name}\` contains the array \`${inner.name}\``,
      declarator.span,
    );
  }
}

// ------------------------------------------------------------------------------------------- channels

function channelShape(context: Context, declarator: Declarator, type: ValueType): ChannelShape | undefined {
  const { initializer, name } = declarator;
  if (initializer?.kind !== "channel") return undefined;
  if (type.kind !== "chan") {
    const hint = `declare it as \`chan ${name.text}\``;
    context.error("not-a-channel", `\`${name.text}\` is no channel`, initializer.span, { hint });
  }
  const capacity = requireConstant(context, initializer.capacity, "the capacity of a channel") ?? 0;
  if (capacity < 0)
    context.error("bad-capacity", `the capacity ${capacity} is negative`, initializer.capacity.span);
  const declared = initializer.fields.map((field) => {
    const resolved = resolveType(context, field);
    if (resolved.kind === "unsigned") {
      const hint = "use `byte`, `short` or `int`";
      context.error("unsigned-in-message", "a message field cannot be unsigned", field.span, { hint });
    }
    const inner = resolved.kind === "record" ? findArray(resolved.typedef, true) : undefined;
    if (inner) {
      const message = `a message cannot contain an array of records: \`${inner.name}\``;
      context.error("array-in-message", message, field.span);
    }
    return resolved;
  });
  const length = declared.reduce((sum, field) => sum + flattenedLength(field), 0);
  if (length > MAX_MESSAGE_FIELDS) {
    const message = `a message has at most ${MAX_MESSAGE_FIELDS} fields, found ${length}`;
    context.error("message-too-long", message, initializer.span);
    return undefined;
  }
  return { capacity: Math.max(0, capacity), declared, fields: declared.flatMap(flatten) };
}

const MAX_MESSAGE_FIELDS = 10_000;

// ---------------------------------------------------------------------------------- typedefs and mtypes

export function declareTypedef(context: Context, unit: TypedefUnit): void {
  const { name } = unit;
  const earlier = context.info.typedefs.get(name.text);
  if (earlier) {
    context.error("duplicate-typedef", `typedef \`${name.text}\` is declared twice`, name.span, {
      notes: [{ span: earlier.unit.name.span, message: "first declared here" }],
    });
    return;
  }
  const fields: VariableSymbol[] = [];
  for (const declaration of unit.fields) {
    if (declaration.type.kind === "namedType" && declaration.type.name.text === name.text) {
      context.error("recursive-typedef", `typedef \`${name.text}\` contains itself`, declaration.type.span);
      continue;
    }
    for (const field of declareVariables(context, declaration, { storage: "field" })) {
      const twin = fields.find((each) => each.name === field.name);
      if (twin) reportDuplicate(context, field, twin);
      fields.push(field);
    }
  }
  const symbol: TypedefSymbol = { kind: "typedef", name: name.text, unit, fields };
  context.info.typedefs.set(name.text, symbol);
}

export function reportDuplicate(context: Context, symbol: VariableSymbol, earlier: VariableSymbol): void {
  context.error("duplicate-name", `\`${symbol.name}\` is declared twice`, symbol.declarator.name.span, {
    notes: [{ span: earlier.declarator.name.span, message: "first declared here" }],
  });
}

const MAX_MTYPES = 255;

export function declareMtypes(context: Context, unit: MtypeUnit): void {
  const subtype = unit.subtype?.text;
  const { mtypes } = context.info;
  const before = [...mtypes.values()].filter((each) => each.subtype === subtype).length;
  unit.names.forEach((name, i) => {
    const earlier = mtypes.get(name.text);
    if (earlier) {
      context.error("duplicate-name", `mtype constant \`${name.text}\` is declared twice`, name.span, {
        notes: [{ span: earlier.declared.span, message: "first declared here" }],
      });
      return;
    }
    const value = before + unit.names.length - i;
    mtypes.set(name.text, { kind: "mtype", name: name.text, value, subtype, declared: name });
  });
  const total = before + unit.names.length;
  if (total > MAX_MTYPES) {
    const message = `an mtype has at most ${MAX_MTYPES} constants, found ${total}`;
    context.error("too-many-mtypes", message, unit.names[MAX_MTYPES - before]?.span ?? unit.span);
  }
}

/**
 * Promela, the language of Spin.
 *
 * In: text. Out: a `Program` or diagnostics. `front.ts` parses, `check.ts` resolves names and types, `lower/lower.ts`
 * builds the program with its properties.
 */
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import type { MessageProgram } from "../../model/messages.js";
import type { Program, Rules } from "../../model/program.js";
import { parsePolicyBlock } from "../toolkit/provenance/block.js";
import { arraysIn, type ArrayPolicy } from "./abstract/arrays.js";
import { componentPrograms, type ComponentPrograms } from "./abstract/components.js";
import { parseExpressionAlone, parseFormulaAlone } from "./alone.js";
import { checkPromela, type ModelInfo, type VariableSymbol } from "./check.js";
import { parsePromela, type PromelaInput } from "./front.js";
import { lowerPromela, type UnsupportedProperty } from "./lower/lower.js";
import { lowerMessages, type LoweredMessages } from "./messages/lower.js";
import type { MessageParts } from "./messages/tokens.js";
import { areComponents, withRemarks } from "./remarks.js";
import { known, nth } from "../../model/known.js";

export type { ComponentPrograms } from "./abstract/components.js";
export type { UnsupportedProperty } from "./lower/lower.js";

export interface LoadRequest extends PromelaInput {
  /** Omitted rules are as in Spin. */
  readonly rules?: Partial<Rules>;
  /** Conditions over global variables that must hold in every state. */
  readonly invariants?: readonly string[];
  /** Temporal formulas in addition to the model's. */
  readonly formulas?: readonly string[];
  /** Absent: arrays are warned about where sets and queues are used. */
  readonly arrays?: ArrayPolicy | undefined;
}

export interface LoadedPromela {
  /** Absent if a diagnostic is an error. */
  readonly program: Program | undefined;
  /** The message-passing program of a model with asynchronous channels. */
  readonly messages?: MessageProgram | undefined;
  /** Processes that meet in pairs, if the model asks for them; there is no program then. */
  readonly components?: ComponentPrograms | undefined;
  /** Declared properties that are not supported. */
  readonly unsupported: readonly UnsupportedProperty[];
  readonly diagnostics: readonly Diagnostic[];
}

export function loadPromela(request: LoadRequest): LoadedPromela {
  const { sources } = request;
  const { model, messages, remarks, diagnostics: syntax } = parsePromela(request);
  if (hasErrors(syntax)) return rejected(syntax);
  const { info, diagnostics: checked } = checkPromela(model);
  const isSplit = remarks.some(areComponents);
  // A process that nothing starts is a component.
  const found = isSplit ? checked.filter(({ code }) => code !== "promela/no-process") : checked;
  const meaning = [...found, ...tooLarge(info), ...arraysIn(info, model, request.arrays)];
  if (hasErrors(meaning)) return rejected([...syntax, ...meaning]);
  if (isSplit) {
    const components = componentPrograms(model, info, rulesOf(request), sources);
    return { ...rejected([...syntax, ...meaning, ...components.diagnostics]), components };
  }
  // Questions about a message-passing program are not about the processes that it was lowered from.
  const asked: Pick<LoadRequest, "invariants" | "formulas"> = messages ? {} : request;
  const invariants = (asked.invariants ?? []).map((text, i) => ({
    name: text,
    ...parseExpressionAlone({
      text,
      label: i === 0 ? "--invariant" : `--invariant ${i + 1}`,
      model,
      info,
      sources,
    }),
  }));
  const formulas = (asked.formulas ?? []).map((text, i) => ({
    name: text,
    ...parseFormulaAlone({ text, label: i === 0 ? "--ltl" : `--ltl ${i + 1}`, model, info, sources }),
  }));
  const alone = [...invariants, ...formulas];
  const diagnostics = [...syntax, ...meaning, ...alone.flatMap((part) => part.diagnostics)];
  if (hasErrors(diagnostics)) return rejected(diagnostics);
  const lowered = lowerPromela(
    model,
    alone.reduce((facts, part) => withUses(facts, part.info), info),
    {
      rules: rulesOf(request),
      invariants: invariants.map(({ name, value }) => ({ name, condition: known(value, name) })),
      formulas: formulas.map(({ name, value }) => {
        const formula = known(value, name);
        return { name, formula, span: formula.span };
      }),
      sources,
    },
  );
  const declared = lowered.program && withRemarks(lowered.program, remarks);
  const limits = lowered.program ? overLimits(lowered.program) : [];
  const all = [...diagnostics, ...lowered.diagnostics, ...(declared?.diagnostics ?? []), ...limits];
  const program = hasErrors(all) ? undefined : declared?.program;
  if (!messages || !program) return { ...lowered, program, diagnostics: all };
  const { messages: principals, diagnostics: more } = withPolicies(program, messages, request);
  all.push(...(program.interchangeable ?? []).map(({ span }) => notOfMessages(span)));
  return {
    ...lowered,
    program: principals && program,
    messages: principals,
    diagnostics: [...all, ...more],
  };
}

const notOfMessages = (span: Span): Diagnostic => ({
  code: "promela/not-symmetric",
  severity: "error",
  message: "processes of a model with asynchronous channels cannot be declared to be interchangeable",
  span,
  hint: "remove the declaration",
});

/** Lowers the model to a message-passing program with its provenance properties. */
function withPolicies(
  program: Program,
  { channels, blocks }: MessageParts,
  { sources }: LoadRequest,
): LoweredMessages {
  const syntax: Diagnostic[] = [];
  const parsed = blocks.map(({ tokens, end }) =>
    parsePolicyBlock(tokens, end.span, (each) => syntax.push(each)),
  );
  if (hasErrors(syntax)) return { messages: undefined, diagnostics: syntax };
  return lowerMessages({
    program,
    channels: channels.map(({ image }) => image),
    block: {
      domains: parsed.flatMap(({ domains }) => domains),
      properties: parsed.flatMap(({ properties }) => properties),
    },
    textOf: ({ file, start, end }) => sources.text(file)?.slice(start, end) ?? "",
  });
}

/** Reports initial processes or channels above the limits. */
function overLimits({ instances, templates, initialisers, channelTypes, rules }: Program): Diagnostic[] {
  const own = instances.flatMap(({ template }) => nth(templates, template).initialisers);
  const channels = [...initialisers, ...own].flatMap((i) => (i.kind === "channel" ? [i.channelType] : []));
  const found: Diagnostic[] = [];
  const extra = instances[rules.maxProcesses];
  if (extra)
    found.push({
      code: "promela/too-many-processes",
      severity: "error",
      message: `${instances.length} processes are active at the start, at most ${rules.maxProcesses} can be`,
      span: nth(templates, extra.template).span,
      hint: "--limit-processes raises the limit",
    });
  if (channels.length > rules.maxChannels)
    found.push({
      code: "promela/too-many-channels",
      severity: "error",
      message: `${channels.length} channels exist at the start, at most ${rules.maxChannels} can`,
      span: nth(channelTypes, nth(channels, rules.maxChannels)).span,
      hint: "--limit-processes raises this limit too",
    });
  return found;
}

/** Merges the facts of a model and of a separate expression. */
const withUses = (info: ModelInfo, more: ModelInfo): ModelInfo => ({
  ...info,
  variables: new Map([...info.variables, ...more.variables]),
  fields: new Map([...info.fields, ...more.fields]),
  mtypeUses: new Map([...info.mtypeUses, ...more.mtypeUses]),
  processUses: new Map([...info.processUses, ...more.processUses]),
  labelUses: new Map([...info.labelUses, ...more.labelUses]),
  types: new Map([...info.types, ...more.types]),
});

const rejected = (diagnostics: readonly Diagnostic[]): LoadedPromela => ({
  program: undefined,
  unsupported: [],
  diagnostics,
});

/** Spin's limits; a raised limit on processes also applies to channels. */
function rulesOf({ rules = {} }: LoadRequest): Rules {
  const maxProcesses = rules.maxProcesses ?? 255;
  return {
    maxProcesses,
    maxChannels: rules.maxChannels ?? Math.max(255, maxProcesses),
    loseWhenFull: rules.loseWhenFull ?? false,
    endNeedsEmptyChannels: rules.endNeedsEmptyChannels ?? false,
    usesPriorities: rules.usesPriorities ?? false,
  };
}

/** Reports variables with more scalars than any state could hold. Runs before any pass enumerates them. */
function tooLarge({ globals, processes }: ModelInfo): Diagnostic[] {
  return [...globals, ...processes.flatMap((p) => p.locals)]
    .filter((v) => room(v) > MOST_SCALARS)
    .map((v) => ({
      code: "promela/too-large",
      severity: "error",
      message:
        scalars(v) > MOST_SCALARS
          ? `\`${v.name}\` has ${scalars(v)} elements, at most ${MOST_SCALARS} are possible`
          : `\`${v.name}\` has room for ${room(v)} values in its messages, at most ${MOST_SCALARS} are possible`,
      span: v.declarator.span,
      hint: "every state holds all of them; a model needs small arrays and channels",
    }));
}

/** Number of scalars of a variable, or of the messages in its channels. */
const room = (variable: VariableSymbol): number => Math.max(scalars(variable), messageScalars(variable));

function messageScalars({ size = 1, type, channel }: VariableSymbol): number {
  if (type.kind === "record")
    return size * type.typedef.fields.reduce((sum, field) => sum + messageScalars(field), 0);
  return size * (channel ? channel.capacity * channel.fields.length : 0);
}

const MOST_SCALARS = 100_000;

function scalars({ size = 1, type }: VariableSymbol): number {
  return size * (type.kind === "record" ? type.typedef.fields.reduce((sum, f) => sum + scalars(f), 0) : 1);
}

/** Checks statements in textual order. */
import type {
  BlockStatement,
  ChoiceStatement,
  Declaration,
  Expression,
  LabelledStatement,
  PrintfStatement,
  Sequence,
  Statement,
  VariableReference,
} from "../ast.js";
import type { Span } from "../../../model/diagnostic.js";
import { checkAssign, checkIncrement, checkTarget } from "./assignments.js";
import type { Context, Use } from "./context.js";
import { checkExpression, CONDITION } from "./expressions.js";
import { checkInitializer } from "./initializers.js";
import { resolveGoto } from "./labels.js";
import { checkForIn, checkForRange, checkRange } from "./loops.js";
import { checkReceive, checkSend } from "./messages.js";
import { checkReference } from "./references.js";
import { containsRemote, firstStatement, isCommunication } from "./shape.js";
import { describeType } from "./types.js";
import { nth } from "../../../model/known.js";

export function checkSequence(context: Context, sequence: Sequence): void {
  checkHasStatement(context, sequence);
  for (const step of sequence.steps) checkStatement(context, step);
}

function checkStatement(context: Context, statement: Statement): void {
  context.expandedFrom = statement.expandedFrom;
  checkClaimRules(context, statement);
  checkDStepRules(context, statement);
  switch (statement.kind) {
    case "declaration":
      return checkLocals(context, statement);
    case "exclusive":
      return checkExclusive(context, statement.channels);
    case "unless":
      checkStatement(context, statement.main);
      return checkStatement(context, statement.escape);
    case "labelled":
      return checkLabelled(context, statement);
    case "if":
    case "do":
      return checkChoice(context, statement);
    case "forRange":
      return checkForRange(context, statement);
    case "forIn":
      return checkForIn(context, statement);
    case "select":
      return checkRange(context, statement, "select");
    case "block":
    case "atomic":
    case "dStep":
      return checkBlock(context, statement);
    case "send":
      return checkSend(context, statement);
    case "receive":
      return checkReceive(context, statement);
    case "assign":
      return checkAssign(context, statement);
    case "increment":
      return checkIncrement(context, statement);
    case "expression":
      checkExpression(context, statement.expression, GUARD);
      return checkRemoteInDStep(context, statement.expression);
    case "break":
      return checkBreak(context, statement.span);
    case "goto":
      return resolveGoto(context, statement);
    case "printf":
      return checkPrintf(context, statement);
    case "printm":
      return void checkExpression(context, statement.value);
    case "assert":
      checkExpression(context, statement.condition, CONDITION);
      return checkRemoteInDStep(context, statement.condition);
    case "setPriority":
      checkExpression(context, statement.process);
      return void checkExpression(context, statement.priority);
    case "else":
    case "embeddedC":
      return;
  }
}

const GUARD: Use = { channelTest: true, run: true };

// ---------------------------------------------------------------------------------------- by the place

/** `xr` and `xs` are not statements. The body of a process may be empty: it ends at once. */
function checkHasStatement(context: Context, sequence: Sequence): void {
  const unit = context.process?.unit;
  const [first] = sequence.steps;
  if (!first || sequence.steps.some(({ kind }) => kind !== "exclusive")) return;
  if (unit && "body" in unit && unit.body === sequence) return;
  context.error("syntax", "expected a statement beside `xr` and `xs`", first.span, {
    hint: "write `skip` for a body that does nothing",
  });
}

/** Checks the restrictions on never claims and traces. */
function checkClaimRules(context: Context, statement: Statement): void {
  const kind = context.process?.unit.kind;
  if (kind === "never" && HAS_EFFECT.has(statement.kind)) {
    context.warn("claim-side-effect", "a never claim should only observe", statement.span);
  }
  if (kind === "trace" && !MAY_TRACE.has(statement.kind)) {
    context.error("not-an-event", "a trace consists of sends and receives only", statement.span);
  }
}

const HAS_EFFECT = new Set(["assign", "increment", "send", "receive", "select", "setPriority"]);
const MAY_TRACE = new Set(
  "send receive if do goto break labelled unless declaration exclusive forRange forIn select".split(" "),
);

function checkDStepRules(context: Context, statement: Statement): void {
  if (!context.dStep || statement.kind !== "unless") return;
  context.error("unless-in-d-step", "`unless` is not allowed in a `d_step`", statement.span, {
    hint: "use `atomic`",
  });
}

function checkRemoteInDStep(context: Context, expression: Expression): void {
  const remote = context.dStep && containsRemote(expression);
  if (remote)
    context.error("remote-in-d-step", "a remote reference is not allowed in a `d_step`", remote.span);
}

// ---------------------------------------------------------------------------------------- declarations

function checkLocals(context: Context, declaration: Declaration): void {
  for (const declarator of declaration.variables) {
    const symbol = context.info.declared.get(declarator);
    if (!symbol) continue;
    checkInitializer(context, symbol);
    context.active.add(symbol);
  }
}

function checkExclusive(context: Context, channels: readonly VariableReference[]): void {
  for (const channel of channels) {
    const before = context.diagnostics.length;
    const type = checkReference(context, channel, true);
    context.info.types.set(channel, type);
    if (type.kind === "chan" || type.kind === "record" || context.diagnostics.length > before) continue;
    const message = `\`${channel.name.text}\` is of type \`${describeType(type)}\`, not a channel`;
    context.error("not-a-channel", message, channel.span);
  }
}

// --------------------------------------------------------------------------------------------- control

function checkLabelled(context: Context, statement: LabelledStatement): void {
  if (statement.statement) checkStatement(context, statement.statement);
}

function checkChoice(context: Context, statement: ChoiceStatement): void {
  checkElse(context, statement);
  if (statement.kind === "do") context.loops++;
  for (const option of statement.options) {
    warnLabelAtStart(context, option);
    checkSequence(context, option);
  }
  if (statement.kind === "do") context.loops--;
}

function warnLabelAtStart(context: Context, option: Sequence): void {
  const first = option.steps[0];
  if (first?.kind !== "labelled") return;
  context.warn(
    "label-at-option",
    "a label at the start of an option marks the option alone",
    nth(first.labels, 0).span,
    {
      hint: "put the label before the `if` or `do`, as Spin demands",
    },
  );
}

/** At most one `else`, and first in its option. */
function checkElse(context: Context, statement: ChoiceStatement): void {
  const guards = statement.options.map((option) => firstStatement(option));
  const elses = guards.filter((guard) => guard?.kind === "else");
  if (elses.length > 1) {
    context.error("duplicate-else", "a selection has at most one `else`", nth(elses, 1).span, {
      notes: [{ span: nth(elses, 0).span, message: "the first" }],
    });
  }
  if (elses.length > 0 && guards.some((guard) => guard && isCommunication(guard))) {
    context.warn("else-with-communication", "`else` beside a send or receive", nth(elses, 0).span, {
      hint: "it is taken whenever the communication is not possible at this moment",
    });
  }
}

function checkBlock(context: Context, statement: BlockStatement): void {
  if (statement.returnTarget) checkTarget(context, statement.returnTarget);
  reportMisplacedLabel(context, statement);
  const { dStep, loops, loopsAroundDStep } = context;
  if (statement.kind === "dStep" && !dStep) {
    context.dStep = statement;
    context.loopsAroundDStep = loops;
  }
  inScope(context, statement.body);
  context.dStep = dStep;
  context.loops = loops;
  context.loopsAroundDStep = loopsAroundDStep;
}

function checkBreak(context: Context, span: Span): void {
  if (context.loops === 0) return context.error("misplaced-break", "`break` outside `do` and `for`", span);
  if (context.loops > context.loopsAroundDStep) return; // sound: test/languages/promela/bad.test.ts
  context.error("jump-across-d-step", "the loop lies outside this d_step", span, {
    hint: "a d_step is entered at its start and left at its end",
  });
}

/** Spin refuses `{ L: … }`, because the start of a block is not a separate state. */
function reportMisplacedLabel(context: Context, statement: BlockStatement): void {
  const first = statement.body.steps[0];
  if (first?.kind !== "labelled" || statement.inline) return;
  const word = statement.kind === "dStep" ? "d_step " : statement.kind === "atomic" ? "atomic " : "";
  const label = nth(first.labels, 0);
  context.error("misplaced-label", `label \`${label.text}\` is at the start of a block`, label.span, {
    hint: `write \`${label.text}: ${word}{ … }\``,
  });
}

export function inScope(context: Context, body: Sequence): void {
  const outer = context.scope;
  context.scope = context.scopes.get(body) ?? outer;
  checkSequence(context, body);
  context.scope = outer;
}

// ------------------------------------------------------------------------------------------------ print

function checkPrintf(context: Context, statement: PrintfStatement): void {
  for (const value of statement.arguments) {
    checkExpression(context, value);
    checkRemoteInDStep(context, value);
  }
  const wanted = statement.format.replaceAll("%%", "").match(/%[a-zA-Z]/g)?.length ?? 0;
  if (wanted !== statement.arguments.length) {
    const message = `the format asks for ${wanted} value${wanted === 1 ? "" : "s"}, found ${statement.arguments.length}`;
    context.warn("printf-arguments", message, statement.span);
  }
}

/** The meaning of each method of a set or queue, in Promela. */
import type { Span } from "../../../model/diagnostic.js";
import type {
  AssignStatement,
  Expression,
  ExpressionStatement,
  MethodCall,
  NumberLiteral,
  Statement,
  TypeName,
  VariableReference,
} from "../ast.js";
import type { Abstract } from "./expand.js";

export interface Problems {
  error(message: string, span: Span, hint?: string): void;
  /** The declared type of a variable. */
  typeOf(variable: VariableReference): TypeName | undefined;
}

const TAKES: Readonly<Record<Abstract["kind"], Readonly<Record<string, number>>>> = {
  set: { insert: 1, erase: 1, find: 1, empty: 0, full: 0, len: 0 },
  queue: { push: 1, pop: 0, front: 0, empty: 0, full: 0, len: 0 },
};

/** `s.insert(e)` as a statement, or `x = q.pop()`; undefined: a condition or an assignment of a value. */
export function methodStatement(
  statement: ExpressionStatement | AssignStatement,
  call: MethodCall,
  object: Abstract,
  problems: Problems,
): Statement | undefined {
  if (!isKnown(call, object, problems)) return statement;
  const { span } = statement;
  const place = { span, ...(statement.expandedFrom ? { expandedFrom: statement.expandedFrom } : {}) };
  const channel = reference(object.name, call.span);
  const name = call.method.text;
  if (name === "pop" || name === "front") {
    // sound: test/languages/promela/abstract.test.ts
    const peek = name === "front";
    if (statement.kind === "expression" && peek) return undefined;
    const variable = statement.kind === "assign" ? statement.target : reference("_", span);
    const into = { kind: "bind", span: variable.span, variable } as const;
    return { kind: "receive", ...place, channel, random: false, peek, arguments: [into] };
  }
  if (statement.kind === "assign") return undefined;
  const value = valueOf(call, object, problems);
  if (name === "insert" || name === "erase") {
    const target = { ...channel, index: position(value, object) };
    return {
      kind: "assign",
      ...place,
      target,
      value: number(name === "insert" ? 1 : 0, span),
      isReturn: false,
    };
  }
  return name === "push" ? pushed(place, channel, value) : undefined;
}

/** Value of a method without effect. */
export function methodExpression(call: MethodCall, object: Abstract, problems: Problems): Expression {
  if (!isKnown(call, object, problems)) return call;
  const { span } = call;
  const name = call.method.text;
  const bits = object.values.map((_, i): Expression => ({
    ...reference(object.name, span),
    index: number(i, span),
  }));
  const channel = reference(object.name, span);
  switch (name) {
    case "find": {
      const at = (): Expression => position(valueOf(call, object, problems), object);
      const condition: Expression = { ...reference(object.name, span), index: at() };
      return { kind: "conditional", span, condition, then: at(), otherwise: number(-1, span) };
    }
    case "empty":
    case "full":
      if (object.kind === "queue") return { kind: "channelTest", span, test: name, channel };
      return name === "full"
        ? folded("&&", bits)
        : { kind: "unary", span, operator: "!", operand: folded("||", bits) };
    case "len":
      return object.kind === "queue" ? { kind: "len", span, channel } : folded("+", bits);
    case "front":
      return frontOf(object, span);
    default:
      problems.error(`\`${name}\` is a statement, not a value`, call.span);
      return call;
  }
}

function isKnown({ method, arguments: values }: MethodCall, { kind }: Abstract, problems: Problems): boolean {
  const count = TAKES[kind][method.text];
  if (count === values.length) return true;
  const known = Object.keys(TAKES[kind]).join(", ");
  if (count === undefined)
    problems.error(`a ${kind} has no method \`${method.text}\``, method.span, `its methods are ${known}`);
  else problems.error(`\`${method.text}\` takes ${count} values, found ${values.length}`, method.span);
  return false;
}

/** Must be a constant or a variable of the enumeration. */
function valueOf(
  { arguments: [value], method }: MethodCall,
  object: Abstract,
  problems: Problems,
): Expression {
  if (value?.kind === "mtypeConstant" && object.values.includes(value.name)) return value;
  const type = value?.kind === "variable" ? problems.typeOf(value) : undefined;
  // sound: test/languages/promela/abstract.test.ts
  if (value && type?.kind === "basicType" && type.subtype?.text === object.enumeration) return value;
  const wanted = `a constant or variable of \`${object.enumeration}\``;
  problems.error(`\`${method.text}\` of \`${object.name}\` takes ${wanted}`, value?.span ?? method.span);
  return value ?? number(0, method.span);
}

/** Constants are numbered backwards from 1, as in every mtype, so a variable without value is outside of the bits. */
function position(value: Expression, { values }: Abstract): Expression {
  const { span } = value;
  if (value.kind === "mtypeConstant") return number(values.indexOf(value.name), span);
  return { kind: "binary", span, operator: "-", left: number(values.length, span), right: value };
}

/** One step: without effect if the value is there; blocks if it is not and there is no room. */
function pushed(place: { readonly span: Span }, channel: VariableReference, value: Expression): Statement {
  const { span } = place;
  const isThere = (): Expression => ({
    kind: "poll",
    span,
    channel: { ...channel },
    random: true,
    arguments: [{ kind: "match", span, value: { ...value } }],
  });
  const hasRoom: Expression = { kind: "channelTest", span, test: "nfull", channel: { ...channel } };
  const guard: Expression = { kind: "binary", span, operator: "||", left: isThere(), right: hasRoom };
  const nothing: Statement = { kind: "expression", span, expression: isThere() };
  const send: Statement = { kind: "send", span, channel: { ...channel }, sorted: false, arguments: [value] };
  const option = (...steps: Statement[]) => ({ kind: "sequence", span, steps }) as const;
  const choice: Statement = {
    kind: "if",
    span,
    options: [option(nothing), option({ kind: "else", span }, send)],
  };
  const steps: Statement[] = [{ kind: "expression", span, expression: guard }, choice];
  return { kind: "dStep", ...place, body: { kind: "sequence", span, steps } };
}

/** 0 if the queue is empty. */
function frontOf({ name, values }: Abstract, span: Span): Expression {
  return values.reduceRight<Expression>(
    (otherwise, each) => {
      const constant = (): Expression => ({ kind: "mtypeConstant", span, name: each });
      const condition: Expression = {
        kind: "poll",
        span,
        channel: reference(name, span),
        random: false,
        arguments: [{ kind: "match", span, value: constant() }],
      };
      return { kind: "conditional", span, condition, then: constant(), otherwise };
    },
    number(0, span),
  );
}

const folded = (operator: "&&" | "||" | "+", parts: readonly Expression[]): Expression =>
  parts.reduce((left, right) => ({ kind: "binary", span: left.span, operator, left, right }));

const reference = (name: string, span: Span): VariableReference => ({
  kind: "variable",
  span,
  name: { kind: "name", text: name, span },
  fields: [],
});

const number = (value: number, span: Span): NumberLiteral => ({
  kind: "number",
  span,
  value,
  form: "decimal",
});

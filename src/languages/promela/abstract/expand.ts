/**
 * Replaces sets and queues by variables of Promela, before names are resolved.
 *
 * A `set` of an enumeration is an array of bits, one for each value in the order of declaration, so its state has no history. A `queue` is
 * a channel of the enumeration; both hold a value at most once. Methods become one statement or expression each; their text in
 * traces stays the user's.
 */
import type { Diagnostic, Span } from "../../../model/diagnostic.js";
import { lastOf } from "../../../model/known.js";
import type { Report } from "../../toolkit/diagnostics.js";
import type {
  Declaration,
  Expression,
  MethodCall,
  Name,
  Statement,
  TypeName,
  Unit,
  VariableReference,
} from "../ast.js";
import { methodExpression, methodStatement } from "./methods.js";
import { isNode, mapped, type Node } from "./nodes.js";

/** Sets and queues by name, and the enumerations that they hold. */
export interface Abstracts {
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly globals: Scope;
  /** Positions of their declarations. */
  readonly declarators: readonly Span[];
}

/** What a name is: a set or queue, or a variable of a type. */
export type Meaning = Abstract | { readonly kind: "plain"; readonly type: TypeName };
type Scope = ReadonlyMap<string, Meaning>;

export interface Abstract {
  readonly kind: "set" | "queue";
  readonly name: string;
  readonly enumeration: string;
  /** In the order of declaration. */
  readonly values: readonly string[];
}

export interface Expanded {
  readonly units: readonly Unit[];
  readonly abstracts: Abstracts;
}

export function expandAbstract(units: readonly Unit[], report: Report): Expanded {
  const enums = enumsOf(units);
  const expander = new Expander(enums, new Map(), report);
  const replaced = expander.all(units) as Unit[];
  return {
    units: replaced,
    abstracts: { enums, globals: expander.globals, declarators: expander.declarators },
  };
}

/** The same for an expression over global variables. */
export function expandAlone<Part extends Node>(
  part: Part,
  { enums, globals }: Abstracts,
  report: Report,
): Part {
  return lastOf(new Expander(enums, new Map(globals), report).all([part])) as unknown as Part;
}

export const enumsOf = (units: readonly Unit[]): Map<string, readonly string[]> =>
  new Map(
    units.flatMap((unit): [string, readonly string[]][] =>
      unit.kind === "mtypeDeclaration" && unit.isEnum === true && unit.subtype
        ? [[unit.subtype.text, unit.names.map(({ text }) => text)]]
        : [],
    ),
  );

const OPENS_SCOPE: ReadonlySet<string> = new Set(
  "proctype init never trace block atomic dStep forRange forIn".split(" "),
);

class Expander {
  readonly declarators: Span[] = [];
  readonly #scopes: Map<string, Meaning>[];

  constructor(
    readonly enums: ReadonlyMap<string, readonly string[]>,
    readonly globals: Map<string, Meaning>,
    readonly report: Report,
  ) {
    this.#scopes = [globals];
  }

  all(nodes: readonly Node[]): Node[] {
    return nodes.flatMap((node) => this.#replace(node));
  }

  #replace(node: Node): readonly Node[] {
    switch (node.kind) {
      case "declaration":
        return this.#declaration(node as unknown as Declaration);
      case "expression":
      case "assign": {
        const statement = this.#statement(node as unknown as Statement);
        return statement ?? [this.#inside(node)];
      }
      case "method": {
        const call = node as unknown as MethodCall;
        const object = this.#object(call);
        return [object ? methodExpression(this.#inside(node) as never, object, this.#problems) : node];
      }
      case "variable":
        this.#refuseWhole(node as unknown as VariableReference);
        return [this.#inside(node)];
      default:
        return [this.#inside(node)];
    }
  }

  #inside(node: Node): Node {
    if (!OPENS_SCOPE.has(node.kind)) return mapped(node, (child) => this.#replace(child), OWN);
    this.#scopes.push(new Map());
    const made = mapped(node, (child) => this.#replace(child), OWN);
    this.#scopes.pop();
    return made;
  }

  #meaning(name: string): Meaning | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  readonly #problems = {
    error: (message: string, span: Span, hint?: string): void => this.report(problem(message, span, hint)),
    typeOf: ({ name, fields }: VariableReference): TypeName | undefined => {
      const meaning = fields.length === 0 ? this.#meaning(name.text) : undefined;
      return meaning?.kind === "plain" ? meaning.type : undefined;
    },
  };

  #object({ object, method }: MethodCall): Abstract | undefined {
    const meaning = this.#meaning(object.name.text);
    const isWhole = object.fields.length === 0 && object.index === undefined;
    if (isWhole && meaning && meaning.kind !== "plain") return meaning;
    const text = `\`${object.name.text}\` is no set or queue, so it has no method \`${method.text}\``;
    this.#problems.error(
      text,
      object.span,
      "declare it as `set s = [n] of { E };` or `queue q = [n] of { E };`",
    );
    return undefined;
  }

  #refuseWhole({ name, span }: VariableReference): void {
    const meaning = this.#meaning(name.text);
    if (!meaning || meaning.kind === "plain") return;
    const methods = meaning.kind === "set" ? "insert, erase, find" : "push, pop, front";
    const text = `\`${name.text}\` is a ${meaning.kind}: only its methods use it`;
    this.#problems.error(text, span, `its methods are ${methods}, empty, full and len`);
  }

  #statement(node: Statement): Statement[] | undefined {
    const inner =
      node.kind === "expression" ? node.expression : node.kind === "assign" ? node.value : undefined;
    if (!inner || (node.kind !== "expression" && node.kind !== "assign")) return undefined;
    if (inner.kind === "method") {
      const object = this.#object(inner);
      const call = this.#inside(inner as unknown as Node) as unknown as MethodCall;
      const made = object && methodStatement(node, call, object, this.#problems);
      if (made) return [made];
      if (!object) return [node];
    }
    const fronts = frontsIn(inner).flatMap((call) => this.#object(call) ?? []);
    if (fronts.length === 0) return undefined;
    return [guardedByFront(this.#inside(node as unknown as Node) as unknown as Statement, fronts)];
  }

  #declaration(node: Declaration): readonly Node[] {
    const { type } = node;
    if (type.kind !== "abstractType") {
      const made = this.#inside(node as unknown as Node);
      for (const { name } of node.variables) lastOf(this.#scopes).set(name.text, { kind: "plain", type });
      return [made];
    }
    return node.variables.flatMap((variable) => {
      const abstract = this.#abstract(variable, type.name);
      if (!abstract) return [];
      lastOf(this.#scopes).set(variable.name.text, abstract);
      this.declarators.push(variable.span);
      return [declared(node, variable, abstract) as unknown as Node];
    });
  }

  #abstract(variable: Declaration["variables"][number], kind: "set" | "queue"): Abstract | undefined {
    const { name, initializer, span } = variable;
    const field =
      initializer?.kind === "channel" && initializer.fields.length === 1 ? initializer.fields[0] : undefined;
    const enumeration = field?.kind === "basicType" ? field.subtype?.text : undefined;
    const values = enumeration === undefined ? undefined : this.enums.get(enumeration);
    if (enumeration === undefined || !values || initializer?.kind !== "channel") {
      this.#problems.error(
        `${kind} \`${name.text}\` does not hold values of one enumeration`,
        span,
        `write \`enum E = { a, b };\` before, and \`${kind} ${name.text} = [2] of { E };\``,
      );
      return undefined;
    }
    const { capacity } = initializer;
    const room = capacity.kind === "number" ? capacity.value : undefined;
    // sound: test/languages/promela/abstract.test.ts
    const least = kind === "set" ? values.length : 1;
    if (room === undefined || room < least) {
      const needs =
        kind === "set" ? `all ${values.length} values of \`${enumeration}\`` : "at least one value";
      const found = room === undefined ? "its capacity is no number" : `found ${room}`;
      this.#problems.error(`${kind} \`${name.text}\` needs room for ${needs}: ${found}`, capacity.span);
    }
    return { kind, name: name.text, enumeration, values };
  }
}

/** References inside a method call to the set itself are not uses of the whole. */
const OWN = (node: Node, key: string): boolean =>
  (node.kind === "method" && key === "object") ||
  key === "span" ||
  key === "expandedFrom" ||
  key === "inline";

const problem = (message: string, span: Span, hint?: string): Diagnostic => ({
  code: "promela/abstract-data",
  severity: "error",
  message,
  span,
  ...(hint === undefined ? {} : { hint }),
});

/** The variable that holds it: `bit s[N]` or `chan q = [n] of { mtype:E }`. */
function declared(
  node: Declaration,
  variable: Declaration["variables"][number],
  abstract: Abstract,
): Declaration {
  const { span } = variable;
  if (abstract.kind === "queue")
    return {
      ...node,
      type: { kind: "basicType", span: node.type.span, name: "chan" },
      variables: [variable],
    };
  const size = { kind: "number", span, value: abstract.values.length, form: "decimal" } as const;
  const name: Name = variable.name;
  return {
    ...node,
    type: { kind: "basicType", span: node.type.span, name: "bit" },
    variables: [{ kind: "declarator", span, name, size }],
  };
}

/** Calls of `front` inside an expression. */
function frontsIn(expression: Expression): MethodCall[] {
  const found: MethodCall[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return void node.forEach(walk);
    if (!isNode(node)) return;
    if (node.kind === "method" && (node as unknown as MethodCall).method.text === "front")
      found.push(node as unknown as MethodCall);
    for (const [key, child] of Object.entries(node)) if (key !== "span") walk(child);
  };
  walk(expression);
  return found;
}

/** `front` of an empty queue is not executable, so neither is the statement. */
// sound: test/languages/promela/abstract.test.ts
function guardedByFront(statement: Statement, queues: readonly Abstract[]): Statement {
  const { span } = statement;
  const tests = [...new Set(queues.map(({ name }) => name))].map((name): Expression => {
    const channel: VariableReference = {
      kind: "variable",
      span,
      name: { kind: "name", text: name, span },
      fields: [],
    };
    return { kind: "channelTest", span, test: "nempty", channel };
  });
  const both = (left: Expression, right: Expression): Expression => ({
    kind: "binary",
    span,
    operator: "&&",
    left,
    right,
  });
  const isThere = tests.reduce(both);
  if (statement.kind === "expression")
    return { ...statement, expression: both(isThere, statement.expression) };
  const guard: Statement = { kind: "expression", span, expression: isThere };
  return { kind: "dStep", span, body: { kind: "sequence", span, steps: [guard, statement] } };
}

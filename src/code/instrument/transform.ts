/**
 * A script that tells what its turns touch: every use of a variable that functions share, of a property, of a collection
 * goes through `everypath$`, which is in the realm (`../tracking`). Otherwise it does what it did.
 *
 * What a use may change or see is told when it happens: what is assigned after an `await` is told after it.
 * Functions carry a mark, by which the realm knows which ones tell of themselves; whatever has none counts as touching
 * everything, unless it is known.
 *
 * Always true: what cannot be told of is refused (`CannotInstrument`) or says so when it runs (`everypath$.no`).
 */
import ts from "typescript";
import {
  functionOf,
  isAssignment,
  isReference,
  isTarget,
  scopesOf,
  type Scopes,
  type Shared,
} from "./scopes.js";

export class CannotInstrument extends Error {}

/** Is in the text of every function that tells what it touches. */
export const mark = "/*everypath*/";

/** `isTrusted`: code of ours that tells what it does in its own way, at that offset; it is marked and left as it is. */
export function instrument(script: string, isTrusted: (offset: number) => boolean): string {
  const file = ts.createSourceFile("bundle.js", script, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  return new Instrumenter(file, scopesOf(file), isTrusted).text();
}

const T = "everypath$";

class Instrumenter {
  readonly #file: ts.SourceFile;
  readonly #source: string;
  readonly #scopes: Scopes;
  readonly #isTrusted: (offset: number) => boolean;
  readonly #frames = new Map<ts.Node, string>();
  /** Names that a function needs for itself, by function. */
  readonly #spare = new Map<ts.Node, string[]>();
  #names = 0;
  #tells = true;

  constructor(file: ts.SourceFile, scopes: Scopes, isTrusted: (offset: number) => boolean) {
    this.#file = file;
    this.#source = file.text;
    this.#scopes = scopes;
    this.#isTrusted = isTrusted;
  }

  text(): string {
    const body = this.#plain(this.#file);
    const spare = this.#spare.get(this.#file);
    return (spare ? `let ${spare.join()};` : "") + body;
  }

  /** The node's text with the leading comments and spaces. */
  #emit(node: ts.Node): string {
    if (ts.isStatement(node)) return this.#statement(node);
    return this.#lead(node) + this.#core(node);
  }

  #statement(node: ts.Statement): string {
    const before = this.#tells;
    if (isOfBundle(node)) this.#tells = before && !this.#isTrusted(node.getStart());
    const text = this.#lead(node) + this.#core(node);
    this.#tells = before;
    return text;
  }

  #lead = (node: ts.Node): string => this.#source.slice(node.pos, node.getStart());

  /** The text without what leads. */
  #core(node: ts.Node): string {
    if (isFunctionNode(node)) return this.#function(node);
    if (ts.isClassLike(node)) return this.#class(node);
    if (!this.#tells) return this.#plainCore(node);
    return this.#told(node) ?? this.#plainCore(node);
  }

  #plain(node: ts.Node): string {
    return this.#lead(node) + this.#plainCore(node);
  }

  /** As it is, but for its parts. */
  #plainCore(node: ts.Node): string {
    let text = "";
    let at = node.getStart();
    ts.forEachChild(node, (child) => {
      if (child.pos < at && child.end <= at) return;
      text += this.#source.slice(at, Math.max(at, child.pos));
      text += child.pos < at ? this.#core(child) : this.#emit(child);
      at = child.end;
    });
    return text + this.#source.slice(at, node.end);
  }

  #told(node: ts.Node): string | undefined {
    if (ts.isIdentifier(node)) return this.#identifier(node);
    if (ts.isShorthandPropertyAssignment(node)) return this.#shorthand(node);
    if (isChain(node)) return this.#chain(node);
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      return this.#member(node, "g");
    if (ts.isCallExpression(node)) return this.#call(node);
    if (ts.isNewExpression(node))
      return `new (${T}.k(${this.#core(node.expression)}))(${this.#list(node.arguments ?? [])})`;
    if (ts.isTaggedTemplateExpression(node)) return `${this.#callee(node.tag)}${this.#core(node.template)}`;
    if (ts.isTemplateSpan(node))
      return `${T}.v(${this.#core(node.expression)})${this.#source.slice(node.expression.end, node.end)}`;
    if (ts.isBinaryExpression(node)) return this.#binary(node);
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return this.#unary(node);
    if (ts.isDeleteExpression(node)) return this.#delete(node);
    if (
      ts.isTypeOfExpression(node) &&
      ts.isIdentifier(node.expression) &&
      this.#scopes.isGlobal(node.expression)
    )
      return this.#source.slice(node.getStart(), node.end);
    if (ts.isSpreadElement(node)) return `...${T}.it(${this.#core(node.expression)})`;
    if (ts.isSpreadAssignment(node)) return `...${T}.g(${this.#core(node.expression)})`;
    if (ts.isYieldExpression(node) && node.asteriskToken)
      return `yield* ${T}.no("yield*",${this.#core(node.expression!)})`;
    if (ts.isVariableDeclaration(node)) return this.#declaration(node);
    if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return this.#loop(node);
    if (ts.isCatchClause(node) && node.variableDeclaration) return this.#catch(node);
    if (ts.isWithStatement(node)) throw new CannotInstrument("it uses `with`");
    return undefined;
  }

  #identifier(node: ts.Identifier): string | undefined {
    if (!isReference(node)) return undefined;
    const shared = this.#scopes.shared(node);
    if (shared) return `(${T}.r(${this.#place(shared)}),${node.text})`;
    return this.#scopes.isGlobal(node) && !builtinNames.has(node.text)
      ? `(${T}.G(),${node.text})`
      : undefined;
  }

  #shorthand(node: ts.ShorthandPropertyAssignment): string | undefined {
    const text = this.#identifier(node.name);
    return text === undefined ? undefined : `${node.name.text}:${text}`;
  }

  /** The activation and the number of a variable. */
  #place({ owner, number }: Shared): string {
    return `${this.#frame(owner)},${number}`;
  }

  #frame(owner: ts.Node): string {
    // What stands in the parameters runs before there is anything in the body.
    if (!isFunctionNode(owner) || hasBusyParameters(owner)) return "0";
    let name = this.#frames.get(owner);
    if (name === undefined) this.#frames.set(owner, (name = this.#name("f")));
    return name;
  }

  #name = (kind: string): string => `everypath$${kind}${++this.#names}`;

  /** A variable of the function for a value that is needed twice. */
  #temporary(node: ts.Node): string {
    const owner = functionOf(node);
    if (!isFunctionNode(owner) && !ts.isSourceFile(owner))
      throw new CannotInstrument("a field's initialiser uses `?.` or assigns after an `await`");
    const name = this.#name("t");
    const names = this.#spare.get(owner);
    if (names) names.push(name);
    else this.#spare.set(owner, [name]);
    if (isFunctionNode(owner) && node.pos < (owner.body?.pos ?? 0))
      throw new CannotInstrument("a parameter's initialiser uses `?.`");
    return name;
  }

  /** `o.p`, with what is told of `o`: `g` it is read, `p` it is changed. */
  #member(
    node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
    how: "g" | "p",
    base?: string,
  ): string {
    const object = base ?? this.#base(node.expression, how);
    if (ts.isPropertyAccessExpression(node)) return `${object}.${node.name.text}`;
    return `${object}[${T}.v(${this.#core(node.argumentExpression)})]`;
  }

  #base(node: ts.Expression, how: "g" | "p"): string {
    if (node.kind === ts.SyntaxKind.SuperKeyword) return "super";
    return `${T}.${how}(${this.#core(node)})`;
  }

  #call(node: ts.CallExpression): string {
    const args = this.#list(node.arguments);
    const callee = unwrapped(node.expression);
    if (callee.kind === ts.SyntaxKind.SuperKeyword) return `super(${args})`;
    if (callee.kind === ts.SyntaxKind.ImportKeyword) throw new CannotInstrument("it imports while it runs");
    if (ts.isIdentifier(callee) && callee.text === "eval") throw new CannotInstrument("it uses `eval`");
    if (isMember(callee) && callee.expression.kind === ts.SyntaxKind.SuperKeyword)
      return `${this.#member(callee, "g")}(...${T}.sa(this,[${args}]))`;
    return `${this.#callee(node.expression)}(${args})`;
  }

  /** Something to be called: what it touches is told when it is. */
  #callee(node: ts.Expression): string {
    const callee = unwrapped(node);
    if (!isMember(callee) || isChain(callee)) return `${T}.f(${this.#core(node)})`;
    if (ts.isPropertyAccessExpression(callee) && ts.isPrivateIdentifier(callee.name))
      return this.#member(callee, "g");
    return `${T}.m(${this.#core(callee.expression)},${this.#key(callee)})`;
  }

  #key = (node: ts.PropertyAccessExpression | ts.ElementAccessExpression): string =>
    ts.isPropertyAccessExpression(node)
      ? JSON.stringify(node.name.text)
      : `${T}.v(${this.#core(node.argumentExpression)})`;

  #list = (nodes: readonly ts.Expression[]): string => nodes.map((node) => this.#core(node)).join(",");

  /** `a?.b.c(d)`: `a` is kept in a variable, and the rest only happens if it is there. */
  #chain(node: ts.Node): string {
    const links: Link[] = [];
    let at = node;
    while (isChain(at)) {
      links.unshift(at as Link);
      at = (at as Link).expression;
    }
    return this.#links(links, this.#core(at), { self: undefined, isAnswered: false });
  }

  /** `self`: what a method is called on. `isAnswered`: the first `?.` has been dealt with. */
  #links(
    links: readonly Link[],
    text: string,
    { self, isAnswered }: { readonly self: string | undefined; readonly isAnswered: boolean },
  ): string {
    const [link, ...rest] = links;
    if (!link) return text;
    if (link.questionDotToken && !isAnswered) {
      const kept = this.#temporary(link);
      return `((${kept}=${text})==null?void 0:${this.#links(links, kept, { self, isAnswered: true })})`;
    }
    const on = (next: string, of?: string): string =>
      this.#links(rest, next, { self: of, isAnswered: false });
    if (ts.isCallExpression(link)) {
      const called = self === undefined ? `${T}.f(${text})` : `${T}.a(${text},${self})`;
      return on(`${called}(${this.#list(link.arguments)})`);
    }
    if (!isMember(link)) throw new CannotInstrument("a kind of `?.`");
    const isCalled = rest[0] !== undefined && ts.isCallExpression(rest[0]);
    if (!isCalled) return on(this.#member(link, "g", `${T}.g(${text})`));
    // The object is needed twice: to find the method, and as its `this`.
    const kept = this.#temporary(link);
    return on(this.#member(link, "g", `${T}.g(${kept}=${text})`), kept);
  }

  #binary(node: ts.BinaryExpression): string | undefined {
    const { left, operatorToken, right } = node;
    const operator = this.#source.slice(operatorToken.getStart(), operatorToken.end);
    if (isAssignment(operatorToken.kind)) return this.#assignment(node, operator);
    if (
      operatorToken.kind === ts.SyntaxKind.InKeyword ||
      operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
    )
      return `${this.#core(left)} ${operator} ${T}.g(${this.#core(right)})`;
    if (!coercing.has(operatorToken.kind)) return undefined;
    return `${this.#value(left)} ${operator} ${this.#value(right)}`;
  }

  /** An operand that may be an object with a `toString` or `valueOf`. */
  #value(node: ts.Expression): string {
    const text = this.#core(node);
    return isPlainValue(node) ? text : `${T}.v(${text})`;
  }

  #assignment({ left, right }: ts.BinaryExpression, operator: string): string {
    const target = unwrapped(left);
    const isLate = suspends(right);
    const value = this.#core(right);
    if (ts.isIdentifier(target)) return this.#assignVariable(target, operator, value, right);
    if (isMember(target)) {
      if (!isLate) return `${this.#member(target, "p")}${operator}${value}`;
      if (target.expression.kind === ts.SyntaxKind.SuperKeyword)
        throw new CannotInstrument("`super.x = await …`");
      const kept = this.#temporary(target);
      const place = this.#member(target, "p", `${T}.p(${kept}=${this.#core(target.expression)})`);
      return `${place}${operator}${T}.wo(${kept},${value})`;
    }
    if (suspends(target)) throw new CannotInstrument("an `await` in a pattern");
    return `${this.#target(target)}=${this.#destructured(target, value)}`;
  }

  #assignVariable(target: ts.Identifier, operator: string, value: string, right: ts.Expression): string {
    const shared = this.#scopes.shared(target);
    if (!shared)
      return this.#scopes.isGlobal(target)
        ? `(${T}.p(globalThis),${target.text}${operator}${value})`
        : `${target.text}${operator}${value}`;
    const place = this.#place(shared);
    // A function is called after the variable only where it stands by itself.
    if (isAnonymousFunction(right)) return `(${T}.w(${place}),${target.text}${operator}${value})`;
    const reads = operator === "=" ? "" : `${T}.r(${place}),`;
    return `(${reads}${target.text}${operator}${T}.wv(${place},${value}))`;
  }

  /** What a pattern is taken from, with what is told of the reading and of the variables that are assigned. */
  #destructured(pattern: ts.Node, value: string): string {
    const places = this.#variables(pattern).map((shared) => this.#place(shared));
    const read = `${T}.pat(${value},${depthOf(pattern)})`;
    return places.length === 0 ? read : `${T}.ws([${places.join()}],${read})`;
  }

  #variables(pattern: ts.Node): Shared[] {
    const found: Shared[] = [];
    const visit = (node: ts.Node): void => {
      if (isFunctionNode(node)) return;
      if (ts.isIdentifier(node)) {
        const isOne = isReference(node) ? isTarget(node) : true;
        const shared = isOne ? this.#scopes.shared(node) : undefined;
        if (shared) found.push(shared);
      }
      ts.forEachChild(node, visit);
    };
    visit(pattern);
    return found;
  }

  /** A pattern on the left of an assignment: its variables stay names, its members are places to write to. */
  #target(node: ts.Node): string {
    if (ts.isIdentifier(node)) return node.text;
    if (ts.isParenthesizedExpression(node)) return this.#target(node.expression);
    if (isMember(node)) return this.#member(node, "p");
    if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) return `...${this.#target(node.expression)}`;
    if (ts.isArrayLiteralExpression(node))
      return `[${node.elements.map((e) => (ts.isOmittedExpression(e) ? "" : this.#target(e))).join()}${node.elements.hasTrailingComma ? "," : ""}]`;
    if (ts.isBinaryExpression(node)) return `${this.#target(node.left)}=${this.#core(node.right)}`;
    if (ts.isObjectLiteralExpression(node)) return `{${node.properties.map((p) => this.#target(p)).join()}}`;
    if (ts.isPropertyAssignment(node)) return `${this.#core(node.name)}:${this.#target(node.initializer)}`;
    if (ts.isShorthandPropertyAssignment(node)) {
      const initial = node.objectAssignmentInitializer;
      return node.name.text + (initial ? `=${this.#core(initial)}` : "");
    }
    throw new CannotInstrument("a kind of pattern");
  }

  #unary(node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression): string | undefined {
    const isStep =
      node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    const sign = ts.tokenToString(node.operator)!;
    const operand = unwrapped(node.operand);
    if (!isStep)
      return node.operator === ts.SyntaxKind.ExclamationToken
        ? undefined
        : `${sign} ${this.#value(node.operand)}`;
    const around = (text: string): string => (ts.isPrefixUnaryExpression(node) ? sign + text : text + sign);
    if (isMember(operand)) return around(this.#member(operand, "p"));
    if (!ts.isIdentifier(operand)) return undefined;
    const shared = this.#scopes.shared(operand);
    return shared ? `(${T}.u(${this.#place(shared)}),${around(operand.text)})` : around(operand.text);
  }

  #delete({ expression }: ts.DeleteExpression): string | undefined {
    const target = unwrapped(expression);
    if (!isMember(target)) return undefined;
    if (isChain(target) && isChain(target.expression)) throw new CannotInstrument("`delete` of a long `?.`");
    const question = target.questionDotToken ? "?." : "";
    const object = this.#base(target.expression, "p");
    return ts.isPropertyAccessExpression(target)
      ? `delete ${object}${question || "."}${target.name.text}`
      : `delete ${object}${question}[${T}.v(${this.#core(target.argumentExpression)})]`;
  }

  #declaration(node: ts.VariableDeclaration): string | undefined {
    const { name, initializer, parent } = node;
    // Of loops over something, and of `catch`, the variables are told of at the start of the body.
    if (
      !ts.isVariableDeclarationList(parent) ||
      ts.isForOfStatement(parent.parent) ||
      ts.isForInStatement(parent.parent)
    )
      return undefined;
    if (!ts.isIdentifier(name)) {
      if (suspends(name)) throw new CannotInstrument("an `await` in a pattern");
      return `${this.#core(name)}=${this.#destructured(name, this.#core(initializer!))}`;
    }
    const shared = this.#scopes.shared(name);
    if (!shared) return initializer ? `${name.text}=${this.#core(initializer)}` : name.text;
    const isVar = (parent.flags & ts.NodeFlags.BlockScoped) === 0;
    if (!initializer) return isVar ? name.text : `${name.text}=${T}.wv(${this.#place(shared)})`;
    const value = this.#core(initializer);
    if (isAnonymousFunction(initializer))
      return `${this.#name("d")}=${T}.w(${this.#place(shared)}),${name.text}=${value}`;
    return `${name.text}=${T}.wv(${this.#place(shared)},${value})`;
  }

  #loop(node: ts.ForOfStatement | ts.ForInStatement): string {
    const { initializer, expression, statement } = node;
    const isDeclaration = ts.isVariableDeclarationList(initializer);
    const pattern = isDeclaration ? initializer.declarations[0]!.name : unwrapped(initializer);
    const keyword = isDeclaration ? this.#source.slice(initializer.getStart(), pattern.getStart()) : "";
    const head = keyword + (isDeclaration ? this.#core(pattern) : this.#target(pattern));
    const writes = this.#variables(pattern).map((shared) => `${T}.w(${this.#place(shared)});`);
    const body = `{${writes.join("")}${this.#core(statement)}}`;
    const over = this.#core(expression);
    if (ts.isForInStatement(node)) return `for(${head} in ${T}.g(${over}))${body}`;
    if (node.awaitModifier) return `for await(${head} of ${T}.no("for await",${over}))${body}`;
    const depth = ts.isIdentifier(pattern) ? 0 : depthOf(pattern);
    const isWatched = depth > 0 || suspends(statement);
    return `for(${head} of ${T}.${isWatched ? `each(${over},${depth})` : `it(${over})`})${body}`;
  }

  #catch({ variableDeclaration, block }: ts.CatchClause): string | undefined {
    const { name } = variableDeclaration!;
    if (ts.isIdentifier(name)) return undefined;
    const caught = this.#name("c");
    return `catch(${caught}){let ${this.#core(name)}=${this.#destructured(name, caught)};${this.#core(block)}}`;
  }

  #class(node: ts.ClassLikeDeclaration): string {
    let text = "";
    let at = node.getStart();
    const open = this.#source.indexOf("{", node.heritageClauses?.end ?? node.name?.end ?? at);
    ts.forEachChild(node, (child) => {
      if (child.pos >= open && at <= open) {
        text += `${this.#source.slice(at, open)}{${mark}`;
        at = open + 1;
      }
      text += this.#source.slice(at, Math.max(at, child.pos));
      text += ts.isHeritageClause(child) && this.#tells ? this.#heritage(child) : this.#emit(child);
      at = child.end;
    });
    if (at <= open) {
      text += `${this.#source.slice(at, open)}{${mark}`;
      at = open + 1;
    }
    text += this.#source.slice(at, node.end);
    const shared = node.name && ts.isClassDeclaration(node) ? this.#scopes.shared(node.name) : undefined;
    return shared && this.#tells ? `${T}.w(${this.#place(shared)});${text}` : text;
  }

  #heritage = (node: ts.HeritageClause): string =>
    ` extends ${T}.base(${this.#core(node.types[0]!.expression)})`;

  #function(node: FunctionNode): string {
    const { body } = node;
    if (!body) return this.#plainCore(node);
    const patterns: string[] = [];
    let text = "";
    let at = node.getStart();
    ts.forEachChild(node, (child) => {
      text += this.#source.slice(at, Math.max(at, child.pos));
      if (child === body) return;
      text += ts.isParameter(child) ? this.#parameter(child, patterns) : this.#emit(child);
      at = child.end;
    });
    return text + this.#body(node, body, patterns);
  }

  /** A pattern among the parameters is taken apart in the body, where the reading can be told of. */
  #parameter(node: ts.ParameterDeclaration, patterns: string[]): string {
    if (!this.#tells || ts.isIdentifier(node.name)) return this.#emit(node);
    if (node.dotDotDotToken) throw new CannotInstrument("a rest parameter that is a pattern");
    const name = this.#name("p");
    patterns.push(`var ${this.#core(node.name)}=${T}.pat(${name},${depthOf(node.name)});`);
    return this.#lead(node) + name + (node.initializer ? `=${this.#core(node.initializer)}` : "");
  }

  #body(node: FunctionNode, body: ts.Node, patterns: readonly string[]): string {
    const isBlock = ts.isBlock(body);
    const inner = isBlock ? this.#block(body) : { directives: "", rest: this.#core(body) };
    const frame = this.#tells || this.#frames.has(node) ? this.#frames.get(node) : undefined;
    const spare = this.#spare.get(node);
    const start = [
      frame === undefined ? "" : `const ${frame}=${T}.n();`,
      spare ? `let ${spare.join()};` : "",
      ...patterns,
    ].join("");
    if (isBlock) return `{${mark}${inner.directives}${start}${inner.rest}}`;
    return start === "" ? `${mark} ${inner.rest}` : `{${mark}${start}return (${inner.rest}\n);}`;
  }

  #block(body: ts.Block): { directives: string; rest: string } {
    let directives = "";
    let rest = "";
    for (const statement of body.statements) {
      const isDirective =
        rest === "" && ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
      if (isDirective)
        directives += `${this.#source.slice(statement.getStart(), statement.end).replace(/;?$/, ";")}`;
      else rest += this.#emit(statement);
    }
    return { directives, rest: `${rest}\n` };
  }
}

/** Does it stand in the function that is the whole of the bundle? Its statements come from one file each. */
function isOfBundle(node: ts.Statement): boolean {
  const { parent } = node;
  return (
    ts.isBlock(parent) && ts.isArrowFunction(parent.parent) && ts.isSourceFile(functionOf(parent.parent))
  );
}

type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.AccessorDeclaration;

const isFunctionNode = (node: ts.Node): node is FunctionNode => ts.isFunctionLike(node);

type Member = ts.PropertyAccessExpression | ts.ElementAccessExpression;

const isMember = (node: ts.Node): node is Member =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);

type Link = ts.PropertyAccessChain | ts.ElementAccessChain | ts.CallChain;

const isChain = (node: ts.Node): boolean => ts.isOptionalChain(node);

function unwrapped(node: ts.Node): ts.Expression {
  let at = node as ts.Expression;
  while (ts.isParenthesizedExpression(at)) at = at.expression;
  return at;
}

/** Is there an `await` or `yield` of the same function in it? */
function suspends(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) return true;
  if (isFunctionNode(node)) return false;
  if (ts.isForOfStatement(node) && node.awaitModifier) return true;
  return ts.forEachChild(node, (child) => suspends(child) || undefined) ?? false;
}

/** How many objects inside each other a pattern takes apart. */
function depthOf(node: ts.Node): number {
  let deepest = 0;
  const visit = (child: ts.Node): void => {
    if (!isFunctionNode(child)) deepest = Math.max(deepest, depthOf(child));
  };
  ts.forEachChild(node, visit);
  const isOne =
    ts.isObjectBindingPattern(node) ||
    ts.isArrayBindingPattern(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node);
  return deepest + (isOne ? 1 : 0);
}

/** Something in the parameters could ask for the activation before the body begins. */
const hasBusyParameters = (node: FunctionNode): boolean =>
  node.parameters.some(
    ({ name, initializer }) =>
      (initializer !== undefined && !isPlainValue(initializer)) || !ts.isIdentifier(name),
  );

const isAnonymousFunction = (node: ts.Expression): boolean => {
  const value = unwrapped(node);
  return (
    ts.isArrowFunction(value) ||
    ((ts.isFunctionExpression(value) || ts.isClassExpression(value)) && !value.name)
  );
};

const isPlainValue = (node: ts.Node): boolean =>
  ts.isNumericLiteral(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTypeOfExpression(node) ||
  node.kind === ts.SyntaxKind.TrueKeyword ||
  node.kind === ts.SyntaxKind.FalseKeyword ||
  node.kind === ts.SyntaxKind.NullKeyword;

const builtinNames = new Set(["undefined", "NaN", "Infinity", "arguments", "globalThis", T]);

/** Operators that make something else of an object. */
const coercing = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.AsteriskAsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.AmpersandToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.CaretToken,
  ts.SyntaxKind.LessThanLessThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
]);

/**
 * Facts about functions that reflection does not expose: source position and captured variables. Queries V8's inspector
 * in the same process; a query takes about 0.1 ms, so results are cached.
 */
import { Session } from "node:inspector";

export interface FunctionFacts {
  /**
   * Line, column, name and length, which are equal in every run, unlike the script's number; of native code, its name.
   */
  readonly location: string;
  readonly script: string | undefined;
  readonly line: number;
  readonly column: number;
  /** Variables of enclosing functions and blocks, excluding the module's. */
  readonly captured: readonly string[];
  readonly isBound: boolean;
}

export class CodeInspector {
  #session: Session | undefined;
  readonly #known = new WeakMap<object, FunctionFacts>();

  factsOf(code: object): FunctionFacts {
    let facts = this.#known.get(code);
    if (!facts) {
      facts = this.#ask(code);
      this.#known.set(code, facts);
    }
    return facts;
  }

  /** Names and values of the variables that a function closes over, now. Not cached. */
  closureOf(code: object): string {
    return this.#asking(code, (internals) => {
      const scopes = internals.find(({ name }) => name === "[[Scopes]]")?.value;
      if (!scopes) return "";
      return this.#properties(scopes)
        .result.flatMap(({ value }) =>
          value && isFunctionScope(value) ? this.#properties(value).result : [],
        )
        .map(({ name, value }) => `${name} = ${this.#valueText(value)}`)
        .join("; ");
    });
  }

  /** Functions and objects without JSON count as constant. */
  #valueText(value: Remote | undefined): string {
    if (value?.objectId === undefined) return JSON.stringify(value?.value) ?? "undefined";
    const { result } = this.#post<{ result: Remote }>("Runtime.callFunctionOn", {
      objectId: value.objectId,
      functionDeclaration: "function () { try { return JSON.stringify(this); } catch { return undefined; } }",
      returnByValue: true,
    });
    return typeof result.value === "string" ? result.value : "";
  }

  close(): void {
    this.#session?.disconnect();
    this.#session = undefined;
  }

  #ask(code: object): FunctionFacts {
    return this.#asking(code, (internals) => this.#facts(code, internals));
  }

  #asking<T>(code: object, read: (internals: readonly Property[]) => T): T {
    const holder = globalThis as unknown as Record<string, unknown>;
    holder[HOLDER] = code;
    try {
      const { result } = this.#post<{ result: Remote }>("Runtime.evaluate", {
        expression: `globalThis[${JSON.stringify(HOLDER)}]`,
        objectGroup: HOLDER,
      });
      return read(this.#properties(result).internalProperties ?? []);
    } finally {
      delete holder[HOLDER];
      this.#post("Runtime.releaseObjectGroup", { objectGroup: HOLDER });
    }
  }

  #facts(code: object, internals: readonly Property[]): FunctionFacts {
    const of = (name: string): Remote | undefined => internals.find((p) => p.name === name)?.value;
    const place = of("[[FunctionLocation]]")?.value as Location | undefined;
    const scopes = of("[[Scopes]]");
    return {
      location: place
        ? `${place.lineNumber}:${place.columnNumber}:${(code as { name?: string }).name ?? ""}:${sourceOf.call(code as () => void).length}`
        : `native ${(code as { name?: string }).name ?? ""}`,
      script: place?.scriptId,
      line: (place?.lineNumber ?? 0) + 1,
      column: (place?.columnNumber ?? 0) + 1,
      captured: scopes ? this.#captured(scopes, textOf(code), place?.lineNumber ?? 0) : [],
      isBound: of("[[TargetFunction]]") !== undefined,
    };
  }

  #captured(scopes: Remote, text: string, line: number): string[] {
    return this.#properties(scopes).result.flatMap(({ value }) => {
      const variables = value && isFunctionScope(value) ? this.#properties(value).result : [];
      return this.#isClassScope(value, variables, text, line) ? [] : variables.map(({ name }) => name);
    });
  }

  /**
   * Inside a class, its name is a constant. The bundler writes `var A = class _A { … _A … }`, so most classes that mention themselves have this
   * scope. A block with a variable that holds the class looks the same from outside of the class: the function must lie inside.
   */
  #isClassScope(
    scope: Remote | undefined,
    variables: readonly Property[],
    text: string,
    line: number,
  ): boolean {
    const [variable] = variables;
    const held = variable?.value;
    // sound: test/code/heap/class-names.test.ts
    if (!variable || variables.length > 1 || !/^Block/.test(scope?.description ?? "")) return false;
    const source = held?.description ?? "";
    // sound: test/code/heap/class-names.test.ts
    if (!new RegExp(`^class ${escaped(variable.name)}\\b`).test(source) || !source.includes(text))
      return false;
    const internals = held?.objectId === undefined ? [] : (this.#properties(held).internalProperties ?? []);
    const place = internals.find(({ name }) => name === "[[FunctionLocation]]")?.value?.value as
      Location | undefined;
    if (!place) return false;
    const length = source.split("\n").length;
    // The place of a class is that of its constructor, if it has one.
    return Math.abs(line - place.lineNumber) < length; // sound: test/code/heap/class-names.test.ts
  }

  #properties({ objectId }: Remote): Properties {
    return this.#post<Properties>("Runtime.getProperties", { objectId, ownProperties: true });
  }

  #post<T>(method: string, parameters: object): T {
    if (!this.#session) {
      this.#session = new Session();
      this.#session.connect();
    }
    let answer: unknown;
    // Within one process, the callback runs before `post` returns.
    this.#session.post(method, parameters, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer as T;
  }
}

const textOf = (code: object): string => sourceOf.call(code as () => void);

const escaped = (name: string): string => name.replaceAll("$", "\\$");

const isFunctionScope = ({ description = "" }: Remote): boolean =>
  /^(Closure|Block|Catch|With|Local)/.test(description);

const sourceOf = Function.prototype.toString as (this: () => void) => string;

const HOLDER = "everypath inspected function";

interface Remote {
  readonly objectId?: string;
  readonly description?: string;
  readonly value?: unknown;
}

interface Property {
  readonly name: string;
  readonly value?: Remote;
}

interface Properties {
  readonly result: readonly Property[];
  readonly internalProperties?: readonly Property[];
}

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/**
 * Procedures as functions. A reference parameter is a leaf number; whether it points into the state or into the memory for locals is
 * known where the call is written, so there is a function for each combination.
 */
import {
  NO_SITE,
  isSimple,
  type Argument,
  type Call,
  type Frame,
  type Parameter,
  type Procedure,
  type ReferStatement,
  type RuleType,
} from "../../../model/rules.js";
import { leavesIn } from "../layout.js";
import { emitPut } from "./cells.js";
import { sequence, type Expressions } from "./expressions.js";
import { literal } from "./operators.js";
import type { ModuleParts } from "./parts.js";
import { leafNumber } from "./places.js";
import {
  FunctionText,
  block,
  check,
  checked,
  leave,
  type Binding,
  type Located,
  type Region,
  type Scope,
} from "./scope.js";
import type { Statements } from "./statements.js";
import { TICK } from "./runtime.js";
import { askedOnce, hasCall, within } from "./weight.js";

export class Procedures {
  readonly #module: ModuleParts;
  readonly #expressions: Expressions;
  readonly #statements: Statements;
  /** Functions already written, by procedure and kinds of arguments. */
  readonly #names = new Map<string, string>();
  readonly #typeNumbers = new Map<RuleType, number>();
  /** Calls are counted only where there can be too many: where a procedure calls itself. */
  readonly #countsCalls: boolean;

  constructor(module: ModuleParts, expressions: Expressions, statements: Statements) {
    this.#module = module;
    this.#expressions = expressions;
    this.#statements = statements;
    this.#countsCalls = module.program.procedures.some((_, p) => this.#isRecursive(p)); // sound: test/compile/rules/conditions.test.ts
  }

  call({ procedure, arguments: all, tooDeep }: Call, scope: Scope): string {
    const setup: string[] = [];
    /** Memory for arguments that calls in later ones may change. */
    const frames: string[] = [];
    // In turn: a call in one argument may change others, and if several fail the first one counts.
    const passed = all.map((argument, i) => {
      const own = this.#pass(argument, this.#procedure(procedure).parameters[i]!, scope, setup);
      if (own.code === undefined) return own;
      const name = scope.text.fresh();
      // sound: test/compile/rules/conditions.test.ts
      if (own.kind !== "leaf" || argument.kind !== "copy" || !hasCall(all.slice(i + 1))) {
        setup.push(`${name} = ${own.code}`); // sound: test/compile/rules/conditions.test.ts
        return { ...own, code: name };
      }
      const leaves = leavesIn(own.source);
      this.#module.growMemory();
      const from = own.region === "memory" ? 1 : 0; // sound: test/compile/rules/conditions.test.ts
      setup.push(
        `${name} = enterFrame(${leaves})`,
        `copyLeaves(${scope.array}, ${scope.base || "0"}, ${from}, ${own.code}, 1, ${name}, ${leaves})`,
      );
      frames.push(name);
      return { ...own, region: "memory" as const, code: name };
    });
    const name = this.#name(procedure, passed);
    const values = passed.flatMap((p) => (p.code === undefined ? [] : [p.code]));
    const site = this.#countsCalls ? [String(tooDeep)] : [];
    const called = `${name}(${[scope.array, scope.base || "0", ...site, ...values].join(", ")})`;
    if (frames.length === 0) return sequence(setup, called);
    const result = scope.text.fresh();
    return sequence([...setup, `${result} = ${called}`, `top = ${frames[0]}`], result);
  }

  #pass(argument: Argument, { kind, type }: Parameter, scope: Scope, setup: string[]): Passed {
    switch (argument.kind) {
      case "value": {
        const value = this.#expressions.value(argument.value, scope);
        if (!isSimple(type)) return { kind: "value", code: value };
        const { low, high } = type;
        this.#module.reach(low, high);
        const inRange =
          argument.site === NO_SITE ? value : `within(${value}, ${low}, ${high}, ${argument.site})`; // sound: test/compile/rules/conditions.test.ts
        // Other calls leave this parameter undefined, so that it is passed as a code.
        if (kind === "copy") return { kind: "code", code: `((${inRange}) - ${literal(low)} + 1)` }; // sound: test/compile/rules/conditions.test.ts
        return { kind: "value", code: inRange };
      }
      case "undefined":
        return isSimple(type) ? { kind: "code", code: "0" } : { kind: "undefined", code: undefined }; // sound: test/compile/rules/conditions.test.ts
      case "reference":
      case "copy": {
        const found = this.#expressions.locate(argument.place, scope);
        setup.push(...found.setup);
        const { place } = found;
        // sound: test/compile/rules/conditions.test.ts
        if (argument.kind === "copy" && isSimple(type)) {
          const target: Located = { kind: "register", name: "", type };
          return { kind: "code", code: this.#statements.recoded(place, target, 0, argument.site, scope) };
        }
        const region = place.kind === "numbered" ? place.region : "state"; // sound: test/compile/rules/conditions.test.ts
        const site = argument.kind === "copy" ? argument.site : NO_SITE; // sound: test/compile/rules/conditions.test.ts
        return { kind: "leaf", code: leafNumber(place), region, source: place.type, site };
      }
    }
  }

  #name(procedure: number, passed: readonly Passed[]): string {
    const key = `${procedure}:${passed.map((p) => (p.kind === "leaf" ? `${p.region}${this.#typeNumber(p.source)}/${p.site}` : p.kind)).join()}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    // The name first: the procedure may call itself.
    return this.#module.addFunction("callOrFail", (name) => {
      this.#names.set(key, name);
      return this.#emit(this.#procedure(procedure), procedure, name, passed);
    });
  }

  #emit(procedure: Procedure, number: number, name: string, passed: readonly Passed[]): string {
    const text = new FunctionText();
    const isRecursive = this.#isRecursive(number);
    const locals = new Locals(procedure, procedure.body, this.#module, isRecursive);
    const parameters = passed.flatMap((p, i) => (p.code === undefined ? [] : [`a${i}`]));
    const bindings = new Map(locals.bindings);
    passed.forEach((p, i) => {
      // sound: test/compile/rules/conditions.test.ts
      if (p.kind === "value") bindings.set(i, { kind: "value", name: `a${i}` });
      // sound: test/compile/rules/conditions.test.ts
      else if (p.kind === "leaf" && procedure.parameters[i]!.kind === "reference")
        bindings.set(i, {
          kind: "place",
          place: {
            kind: "numbered",
            region: p.region,
            leaf: `a${i}`,
            offset: 0,
            type: procedure.parameters[i]!.type,
          },
        });
    });
    const scope: Scope = {
      text,
      array: "w",
      base: "o",
      bindings,
      body: { kind: "procedure", result: procedure.result },
    };
    const entry = passed.map((p, i) => checked(this.#enter(p, i, procedure, scope), scope));
    const body = this.#statements.emit(procedure.body, scope);
    const end = procedure.noResult === NO_SITE ? "" : `fail(${procedure.noResult}); ${leave(scope)}`; // sound: test/compile/rules/conditions.test.ts
    const code = [text.declarations(), locals.declarations(), TICK, locals.reset(), ...entry, body, end]
      .filter((line) => line !== "")
      .join("\n");
    const title = `// ${procedure.name}\n`;
    const first = ["w", "o"];
    // Evaluation after a fault must terminate.
    const guard = check(scope);
    if (!this.#countsCalls)
      return title + block(`function ${name}(${[...first, ...parameters].join(", ")})`, `${guard}\n${code}`); // sound: test/compile/rules/conditions.test.ts
    const inner = [...first, ...(isRecursive ? ["frame"] : []), ...parameters].join(", ");
    return `${title}${block(`function ${name}(${[...first, "tooDeep", ...parameters].join(", ")})`, this.#counted(`${name}Body(${inner})`, locals, isRecursive, scope))}
${block(`function ${name}Body(${inner})`, code)}`;
  }

  /** Parameters by copy that live in the memory. */
  #enter(passed: Passed, slot: number, { parameters }: Procedure, scope: Scope): string {
    if (parameters[slot]!.kind !== "copy") return ""; // sound: test/compile/rules/conditions.test.ts
    const binding = scope.bindings.get(slot);
    if (binding?.kind !== "place") throw new Error("a copied parameter has a place");
    if (passed.kind === "code") return emitPut(binding.place, `a${slot}`, scope); // sound: test/compile/rules/conditions.test.ts
    if (passed.kind !== "leaf") return ""; // sound: test/compile/rules/conditions.test.ts
    const source: Located = {
      kind: "numbered",
      region: passed.region,
      leaf: `a${slot}`,
      offset: 0,
      type: passed.source,
    };
    return this.#statements.copyParts(source, binding.place, 0, passed.site, scope);
  }

  /** The call of a procedure's own code, counted; `frame` is the place of its variables if it can be active several times at once. */
  #counted(call: string, locals: Locals, isRecursive: boolean, scope: Scope): string {
    const { maxCallDepth } = this.#module.program;
    this.#module.reach(0, maxCallDepth);
    const frame = isRecursive ? locals.frame(this.#module) : { before: "", after: "" }; // sound: test/compile/rules/conditions.test.ts
    const hasResult = scope.body.kind === "procedure" && scope.body.result !== undefined;
    // sound: test/compile/rules/conditions.test.ts
    return `${check(scope)}
if (tooDeep !== ${NO_SITE} && depth >= ${maxCallDepth}) { fail(tooDeep); ${leave(scope)} }
depth++;
${frame.before}
${hasResult ? "const result = " : ""}${call};
depth--; ${frame.after}
${hasResult ? "return result;" : ""}`;
  }

  #procedure(number: number): Procedure {
    return this.#module.program.procedures[number]!;
  }

  /** A procedure can call itself and those before it, so there are no longer circles. */
  #isRecursive(number: number): boolean {
    for (const node of within(this.#procedure(number).body))
      if ("procedure" in node && node.procedure === number) return true; // sound: test/compile/rules/conditions.test.ts
    return false;
  }

  #typeNumber(type: RuleType): number {
    if (!this.#typeNumbers.has(type)) this.#typeNumbers.set(type, this.#typeNumbers.size);
    return this.#typeNumbers.get(type)!;
  }
}

/** An argument's form in a call, and the called function's knowledge of it. */
type Passed =
  | { readonly kind: "value" | "code"; readonly code: string }
  | { readonly kind: "undefined"; readonly code: undefined }
  | {
      readonly kind: "leaf";
      readonly code: string;
      readonly region: Region;
      readonly source: RuleType;
      readonly site: number;
    };

/** The variables of a frame: JavaScript variables if they are simple and never referenced, else in memory. */
export class Locals {
  readonly bindings: ReadonlyMap<number, Binding>;
  readonly #registers: string[] = [];
  #words = 0;
  readonly #address: number;
  readonly #isDynamic: boolean;

  constructor(frame: Frame, body: object, module: ModuleParts, isDynamic = false) {
    const referred = referredSlots(body);
    const bindings = new Map<number, Binding>();
    const inMemory: { slot: number; type: RuleType; offset: number }[] = [];
    frame.slots.forEach(({ kind, type }, slot) => {
      if (kind !== "variable") return;
      // sound: test/compile/rules/conditions.test.ts
      if (isSimple(type) && !referred.has(slot)) {
        this.#registers.push(`r${slot}`);
        bindings.set(slot, { kind: "place", place: { kind: "register", name: `r${slot}`, type } });
      } else {
        inMemory.push({ slot, type, offset: this.#words });
        this.#words += leavesIn(type);
      }
    });
    this.#isDynamic = isDynamic;
    this.#address = isDynamic || this.#words === 0 ? 0 : module.allocate(this.#words); // sound: test/compile/rules/conditions.test.ts
    for (const { slot, type, offset } of inMemory)
      bindings.set(slot, {
        kind: "place",
        place: {
          kind: "numbered",
          region: "memory",
          leaf: isDynamic ? "frame" : 0, // sound: test/compile/rules/conditions.test.ts
          offset: this.#address + offset,
          type,
        },
      });
    this.bindings = bindings;
  }

  declarations(): string {
    return this.#registers.length === 0 ? "" : `let ${this.#registers.map((r) => `${r} = 0`).join(", ")};`;
  }

  /** Undefined at the start. */
  reset(): string {
    if (this.#words === 0) return "";
    const start = this.#isDynamic ? "frame" : String(this.#address); // sound: test/compile/rules/conditions.test.ts
    return `m.fill(0, ${start}, ${start} + ${this.#words});`;
  }

  /** Of a procedure that can be active several times at once. */
  frame(module: ModuleParts): { readonly before: string; readonly after: string } {
    if (this.#words === 0) return { before: "const frame = 0;", after: "" };
    module.growMemory();
    return { before: `const frame = enterFrame(${this.#words});`, after: "top = frame;" };
  }
}

/** Slots of which a place is handed on as a reference. */
const referredSlots = askedOnce((body: object): ReadonlySet<number> => {
  const slots = new Set<number>();
  for (const node of within(body)) {
    if (!("kind" in node) || (node.kind !== "refer" && node.kind !== "reference")) continue; // sound: test/compile/rules/conditions.test.ts
    const { root } = (node as ReferStatement).place;
    if (root.kind === "slot") slots.add(root.slot); // sound: test/compile/rules/conditions.test.ts
  }
  return slots;
});

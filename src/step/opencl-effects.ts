/** Effects of functions: whether they write anything, which arrays they write, and whether they call themselves. */
import type { Replacement } from "./opencl-names.js";
import type { Expr, Module, Statement } from "./syntax.js";

export interface Effects {
  /** Does a call write variables or arrays, or call the host? */
  hasEffect(name: string): boolean;
  isRecursive(name: string): boolean;
  /** Names of arrays that some function writes. */
  readonly writtenArrays: ReadonlySet<string>;
  /** Parameters that are arrays, by function. */
  arrayParameters(name: string): ReadonlySet<string>;
}

export function effectsOf(
  module: Module,
  names: { readonly functions: Readonly<Record<string, Replacement>> },
  wanted: Readonly<Record<string, readonly number[]>>,
): Effects {
  const writtenArrays = new Set<string>();
  const callees = new Map<string, Set<string>>();
  const writing = new Set<string>();
  const arrays = new Map<string, Set<string>>();
  const passed: { caller: string; name: string; callee: string; position: number }[] = [];
  for (const [name, text] of module.functions) {
    const called = new Set<string>();
    const locals = new Set(text.parameters);
    const indexed = new Set((wanted[name] ?? []).map((position) => text.parameters[position]!));
    callees.set(name, called);
    arrays.set(name, indexed);
    if (name in names.functions) {
      writing.add(name);
      names.functions[name]!.calls?.forEach((callee) => called.add(callee));
      continue;
    }
    const visit = (e: Expr): void => {
      if (e.kind === "assign" || e.kind === "update") {
        const { target } = e;
        if (target.kind !== "name" || !locals.has(target.name)) writing.add(name);
        if (target.kind === "index" && target.array.kind === "name") writtenArrays.add(target.array.name);
      }
      if (e.kind === "index" && e.array.kind === "name" && text.parameters.includes(e.array.name))
        indexed.add(e.array.name);
      if (e.kind !== "call") return;
      if (e.callee.kind === "member") {
        if (e.callee.of.name !== "Math") writing.add(name);
        if (e.callee.field === "fill") {
          writtenArrays.add(e.callee.of.name);
          if (text.parameters.includes(e.callee.of.name)) indexed.add(e.callee.of.name);
        }
        return;
      }
      const callee = e.callee.name;
      called.add(callee);
      if (!module.functions.has(callee)) writing.add(name);
      e.arguments.forEach((a, position) => {
        if (a.kind === "name" && text.parameters.includes(a.name))
          passed.push({ caller: name, name: a.name, callee, position });
        if (a.kind === "name" && !locals.has(a.name)) writtenArrays.add(a.name);
      });
    };
    for (const statement of text.body) walkStatement(statement, visit, (declared) => locals.add(declared));
  }
  spread(callees, writing);
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const { caller, name, callee, position } of passed) {
      const parameter = module.functions.get(callee)?.parameters[position];
      if (parameter === undefined || !arrays.get(callee)!.has(parameter) || arrays.get(caller)!.has(name))
        continue;
      arrays.get(caller)!.add(name);
      isNew = true;
    }
  }
  return {
    writtenArrays,
    hasEffect: (name) => !module.functions.has(name) || writing.has(name),
    isRecursive: (name) => reaches(callees, name, name),
    arrayParameters: (name) => arrays.get(name) ?? new Set(),
  };
}

function spread(callees: ReadonlyMap<string, ReadonlySet<string>>, marked: Set<string>): void {
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const [name, called] of callees)
      if (!marked.has(name) && [...called].some((c) => marked.has(c))) {
        marked.add(name);
        isNew = true;
      }
  }
}

function reaches(callees: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [...(callees.get(from) ?? [])];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(callees.get(name) ?? []));
  }
  return false;
}

/** Every expression, outer ones first. */
export function walk(e: Expr, visit: (e: Expr) => void): void {
  visit(e);
  const inside = (...parts: (Expr | undefined)[]): void => {
    for (const part of parts) if (part) walk(part, visit);
  };
  switch (e.kind) {
    case "unary":
      return inside(e.operand);
    case "binary":
    case "logical":
      return inside(e.left, e.right);
    case "conditional":
      return inside(e.test, e.then, e.otherwise);
    case "assign":
      return inside(e.target, e.value);
    case "update":
      return inside(e.target);
    case "index":
      return inside(e.array, e.index);
    case "call":
      return inside(...e.arguments);
    case "sequence":
      return inside(...e.parts);
    case "list":
      return inside(...e.elements);
    case "array":
      return inside(e.length);
    default:
  }
}

function walkStatement(s: Statement, visit: (e: Expr) => void, declare: (name: string) => void): void {
  const each = (...parts: (Statement | undefined)[]): void => {
    for (const part of parts) if (part) walkStatement(part, visit, declare);
  };
  const values = (...parts: (Expr | undefined)[]): void => {
    for (const part of parts) if (part) walk(part, visit);
  };
  switch (s.kind) {
    case "expression":
      return values(s.expr);
    case "declare":
      for (const { name } of s.variables) declare(name);
      return values(...s.variables.map(({ value }) => value));
    case "if":
      values(s.test);
      return each(s.then, s.otherwise);
    case "loop":
      each(s.first);
      values(s.test, s.next);
      return each(s.body);
    case "switch":
      values(s.subject);
      return s.cases.forEach(({ body }) => each(...body));
    case "label":
      return each(s.body);
    case "return":
      return values(s.value);
    case "block":
      return each(...s.body);
    case "leave":
  }
}

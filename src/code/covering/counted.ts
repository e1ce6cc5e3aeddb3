import type ts from "typescript";
import { eachPoint, parse, type Role } from "./points.js";

/**
 * Instruments a script to count the points selected by `isCounted`, within its realm. Adds a function that returns a
 * digit per point: whether it was executed.
 */
export function countedScript(script: string, isCounted: (point: number) => boolean): string {
  const file = parse(script);
  const before = new Map<number, string[]>();
  const after = new Map<number, string[]>();
  let number = 0;
  eachPoint(file, (_, node, role) => {
    const index = number++;
    if (isCounted(index)) write(node, role, `everypath$c(${index})`, { file, before, after });
  });
  return prologue(number) + spliced(script, before, after);
}

interface Insertions {
  readonly file: ts.SourceFile;
  /** By offset, outermost first. */
  readonly before: Map<number, string[]>;
  /** By offset, outermost first; written in reverse. */
  readonly after: Map<number, string[]>;
}

function write(node: ts.Node, role: Role | "else", count: string, { file, before, after }: Insertions): void {
  const start = node.getStart(file);
  switch (role) {
    case "listed":
      return put(before, start, `${count};`);
    case "block":
      return put(before, start + 1, `${count};`);
    case "single":
      put(before, start, `{${count};`);
      return put(after, node.end, "}");
    case "expression":
      put(before, start, `(${count},`);
      return put(after, node.end, ")");
    case "else": {
      put(after, node.end, ` else ${count};`);
      // Prevents an `if` in the other branch from capturing the `else`.
      put(before, (node as ts.IfStatement).thenStatement.getStart(file), "{");
      return put(after, node.end, "}");
    }
  }
}

function put(where: Map<number, string[]>, at: number, text: string): void {
  const there = where.get(at);
  if (there) there.push(text);
  else where.set(at, [text]);
}

function spliced(
  script: string,
  before: ReadonlyMap<number, readonly string[]>,
  after: ReadonlyMap<number, readonly string[]>,
): string {
  const offsets = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  let text = "";
  let done = 0;
  for (const at of offsets) {
    text += script.slice(done, at);
    text += (after.get(at) ?? []).toReversed().join("") + (before.get(at) ?? []).join("");
    done = at;
  }
  return text + script.slice(done);
}

/** Created before the user's code runs, so that changes to globals do not affect the counting. */
const prologue = (points: number): string =>
  `const everypath$h=new Uint8Array(${points}),everypath$c=(i)=>{everypath$h[i]=1};` +
  `globalThis[Symbol.for("everypath.hits")]=()=>everypath$h.join("");`;

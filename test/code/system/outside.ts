/** A system of two nodes whose conditions observe every combination of their states. */
import { expect } from "vitest";
import { checkText } from "./small.js";

/** A counts to two, B flips once: conditions observe every combination, independently of the live objects. */
export const system = (declared: string, read: string, add: string): string => `
  ${declared}
  class A { add() { ${add} } get total() { return ${read}; } }
  class B { x = 0; }
  export default defineSystem<any>({
    nodes: { a: () => new A(), b: () => new B() },
    actions: {
      add: { on: ["a"], when: (n: any) => n.total < 2, run: (n: any) => n.add() },
      flip: { on: ["b"], when: (n: any) => n.x === 0, run: (n: any) => { n.x = 1; } },
    },
    sometimes: {
      "0 0": ({ nodes }) => nodes.a.total === 0 && nodes.b.x === 0,
      "0 1": ({ nodes }) => nodes.a.total === 0 && nodes.b.x === 1,
      "1 0": ({ nodes }) => nodes.a.total === 1 && nodes.b.x === 0,
      "1 1": ({ nodes }) => nodes.a.total === 1 && nodes.b.x === 1,
      "2 0": ({ nodes }) => nodes.a.total === 2 && nodes.b.x === 0,
      "2 1": ({ nodes }) => nodes.a.total === 2 && nodes.b.x === 1,
    },
    always: { "at most two": ({ nodes }) => nodes.a.total <= 2 },
  });`;

/** Expects exactly these combinations. */
export async function expectAll(node: string, read: string): Promise<void> {
  const text = system("", "0", "")
    .replace("a: () => new A()", `a: () => ${node}`)
    .replace('on: ["a"],', 'on: ["a"], times: 3,')
    .replaceAll("nodes.a.total", "read(nodes.a)")
    .replaceAll("n.total", "read(n)");
  const { properties } = await checkText(`const read = (N: any): any => ${read};${text}`, {
    maxErrors: Infinity,
  });
  expect(
    properties.filter(({ verdict }) => verdict !== "holds").map(({ property }) => property.name),
  ).toEqual([]);
}

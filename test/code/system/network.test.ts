/** FIFO order of messages, and duplicates, which are unordered. */
import { expect, test } from "vitest";
import { Network } from "../../../src/code/system/network.js";
import { checkText } from "./small.js";

/** A sends 1 and 2; B records the messages. */
const system = (network: string, group = ""): string => `
  class A { constructor(readonly e: Environment) {} onStart() { this.e.send("b", 1); this.e.send("b", 2); } }
  class B { seen: number[] = []; onMessage(_: string, n: number) { this.seen.push(n); } }
  const saw = (...all: number[]) => ({ nodes: { b } }: any) => b.seen.join() === all.join();
  export default defineSystem<any>({
    nodes: { a: (e) => new A(e), b: () => new B() }, network: { ${network} }, ${group}
    sometimes: { "1 2": saw(1, 2), "1 1 2": saw(1, 1, 2), "1 2 1": saw(1, 2, 1), "1 2 2": saw(1, 2, 2), "2": saw(2), "2 1": saw(2, 1), "1 1 1": saw(1, 1, 1), "1 2 1 1": saw(1, 2, 1, 1) },
  });`;

test.each([
  ["in order, a copy comes at any time after the first", 'order: "fifo", duplicates: 1', ["1 2", "1 1 2", "1 2 1", "1 2 2"]],
  ["two copies", 'order: "fifo", duplicates: 2', ["1 2", "1 1 2", "1 2 1", "1 2 2", "1 1 1", "1 2 1 1"]],
  ["none", 'order: "fifo"', ["1 2"]],
  ["in no order", "duplicates: 1", ["1 2", "1 1 2", "1 2 1", "1 2 2", "2", "2 1"]],
  ["in order, with loss", 'order: "fifo", duplicates: 1, loss: 1', ["1 2", "1 1 2", "1 2 1", "1 2 2", "2"]],
])("%s", async (_, network, expected) => {
  for (const reductions of [[], ["por"]] as const) {
    const { properties } = await checkText(system(network), { maxErrors: Infinity, reductions });
    const seen = properties.filter(({ property, verdict }) => property.kind === "cover" && verdict === "holds");
    expect(seen.map(({ property }) => property.name).sort()).toEqual([...expected].sort());
  }
}); // prettier-ignore

test("a copy neither waits nor is waited for, and is no message of its own", () => {
  const network = new Network(["a", "b"], { order: "fifo" });
  const never = (): boolean => false;
  const one = network.sent(1, 0, [1], "1", never);
  const both = network.sent(one, 0, [1], "2", never);
  const [first] = network.deliverable(both);
  expect(network.packet(first!).message).toBe("1");
  const left = network.repeated(both, first!);
  expect(network.deliverable(left).map((number) => network.packet(number).message)).toEqual(["2", "1"]);
  const [copy] = network.deliverable(network.repeated(one, first!));
  expect(copy).not.toBe(first);
  // After a duplicate, another packet can be first.
  expect(network.isCovered(network.repeated(one, first!), { from: 0, to: [1], message: "2" }, false)).toBe(
    false,
  );
  expect(network.isCovered(one, { from: 0, to: [1], message: "2" }, false)).toBe(true);
  // Behind another packet, it can be lost separately.
  expect(network.isCovered(one, { from: 0, to: [1], message: "2" }, true)).toBe(false);
  // The order of duplicates is irrelevant.
  const second = network.deliverable(left).find((number) => network.packet(number).message === "2")!;
  const reversed = network.sent(network.sent(1, 0, [1], "2", never), 0, [1], "1", never);
  expect(network.repeated(left, second)).toBe(network.repeated(network.repeated(reversed, second), first!));
});

test("one more message in order is behind another between the same nodes only", () => {
  const network = new Network(["a", "b", "c"], { order: "fifo" });
  const content = network.sent(1, 0, [1], "1", () => false);
  expect(network.isCovered(content, { from: 0, to: [1], message: "2" }, false)).toBe(true);
  expect(network.isCovered(content, { from: 0, to: [2], message: "2" }, false)).toBe(false);
  expect(network.isCovered(content, { from: 2, to: [1], message: "2" }, false)).toBe(false);
});

test("what goes from one part of the network to the other may be lost on its way, for those who do not hear the sender", () => {
  const isApart = (a: number, b: number): boolean => (a === 2) !== (b === 2);
  const lost = (order: "any" | "fifo"): string[] => {
    const network = new Network(["a", "b", "c"], { order });
    const never = (): boolean => false;
    let content = network.sent(1, 0, [1, 2], "1", never);
    content = network.sent(content, 0, [2], "2", never);
    return network.cuts(content, isApart).map(({ left }) =>
      network
        .inOrder(left)
        .map(({ to, message }) => `${message} to ${to.join()}`)
        .sort()
        .join(),
    );
  };
  expect(lost("any").sort()).toEqual(["1 to 1,2 to 2", "1 to 1,2"].sort());
  expect(lost("fifo").sort()).toEqual(["1 to 1,1 to 2", "1 to 1,2 to 2"].sort());
});

test("a message to the same node twice comes twice", async () => {
  const twice = system("").replace(
    'this.e.send("b", 1); this.e.send("b", 2);',
    'this.e.send(["b", "b"], 1);',
  );
  const text = twice.replace('"1 1 2": saw(1, 1, 2)', '"1 1": saw(1, 1)');
  const { properties } = await checkText(text, { maxErrors: Infinity });
  expect(properties.find(({ property }) => property.name === "1 1")!.verdict).toBe("holds");
});

test("what differs in order alone is told apart where nodes are alike", async () => {
  const text = system('order: "fifo"', 'symmetric: [["a", "c"]],')
    .replace(/onStart.*?\} \}/, "}")
    .replace("b: () => new B() }", "c: (e) => new A(e), b: () => new B() }")
    .replace(
      "sometimes:",
      'actions: { send: { on: ["a", "c"], times: 1, values: [[1, 2], [2, 1]], run: (n, all) => all.forEach((each: number) => n.e.send("b", each)) } }, sometimes:',
    );
  const { properties } = await checkText(text, { maxErrors: Infinity, reductions: ["symmetry"] });
  for (const name of ["1 2", "2 1"])
    expect(properties.find(({ property }) => property.name === name)!.verdict).toBe("holds");
});

/** Drawings of nets: every place, transition and arc once, the right tokens, all text escaped, nothing outside the page. */
import { expect, test } from "vitest";
import { layoutNet } from "../../src/report/net-layout.js";
import { isDrawable, renderNet } from "../../src/report/net-drawing.js";
import { classicalNets, netFrom, tokenRing } from "../engines/coverability/classical.js";

test("every node has a place of its own on the page", () => {
  for (const { net } of classicalNets) {
    const { nodes, width, height } = layoutNet(net);
    expect(nodes.length).toBe(net.places.length + net.transitions.length);
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size, net.name).toBe(nodes.length);
    for (const { x, y } of nodes) expect(x > 0 && y > 0 && x < width && y < height, net.name).toBe(true);
  }
});

test("arcs take and give what the transition does, and test arcs are told apart", () => {
  const net = netFrom("arcs", { a: 1, lock: 1 }, ["2 a -> 3 b", "lock + a -> lock + b"], [{ b: 1 }]);
  const { arcs } = layoutNet(net);
  const told = arcs.map(({ from, to, weight, isTest }) => `${from}-${to} ${weight}${isTest ? " test" : ""}`);
  expect(told.toSorted()).toEqual(["0-3 2", "0-4 1", "1-4 1 test", "3-2 3", "4-2 1"]);
});

test("tokens are dots up to four, and a number beyond", () => {
  const svg = (count: number): string => renderNet(netFrom("one", { p: count }, ["p -> q"], [{ q: 1 }]));
  expect(svg(3).match(/net-token" cx/g)?.length).toBe(3);
  expect(svg(7)).toContain(">7</text>");
});

test("names are escaped", () => {
  const net = netFrom("n", { "<p&>": 1 }, ["<p&> -> q"], [{ q: 1 }]);
  expect(renderNet(net)).toContain("&lt;p&amp;&gt;");
  expect(renderNet(net)).not.toContain("<p&>");
});

test("very large nets are not drawn", () => {
  expect(isDrawable(tokenRing(4))).toBe(true);
  expect(isDrawable(tokenRing(60))).toBe(false);
});

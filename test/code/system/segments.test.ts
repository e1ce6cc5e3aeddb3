/** Connections over a network that reorders and duplicates segments. */
import { expect, test } from "vitest";
import { checkText } from "./small.js";

const text = `
  import { connect, createServer } from "node:net";

  function server() {
    const state = { heard: "", inOneStep: 0, most: 0 };
    createServer((socket) =>
      socket.setEncoding("utf8").on("data", (text) => {
        state.heard += text;
        state.most = Math.max(state.most, ++state.inOneStep);
        process.nextTick(() => void (state.inOneStep = 0));
      }),
    ).listen(80);
    return state;
  }

  function client() {
    let said = 0;
    const socket = connect(80, "server");
    return { say: () => void socket.write(String(++said)) };
  }

  export default defineSystem({
    nodes: { server: () => server(), client: () => client() },
    network: { duplicates: 1 },
    actions: { say: { on: "client", times: 2, run: (node) => node.say() } },
    always: { "in order, once": ({ nodes }) => ["", "1", "12"].includes(nodes.server.heard) },
    sometimes: {
      "one by one": ({ nodes }) => nodes.server.heard === "12" && nodes.server.most === 1,
      "one that was early waits for the one before it": ({ nodes }) => nodes.server.most === 2,
    },
  });
`;

test("connections keep their order over a network that does not", async () => {
  const { properties, diagnostics } = await checkText(text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(
    Object.fromEntries(properties.map(({ property, verdict }) => [property.name, verdict])),
  ).toMatchObject({
    "in order, once": "holds",
    "one by one": "holds",
    "one that was early waits for the one before it": "holds",
  });
});

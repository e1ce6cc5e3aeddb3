/** Nodes that are programs: sockets over the system's network, files that survive crashes, timers. */
import { expect, test } from "vitest";
import { checkText } from "./small.js";

const verdicts = async (text: string): Promise<Record<string, string>> => {
  const { properties, diagnostics } = await checkText(text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return Object.fromEntries(properties.map(({ property, verdict }) => [property.name, verdict]));
};

const counter = (syncs: boolean): string => `
  import { createSocket } from "node:dgram";
  import * as fs from "node:fs";

  /** Counts what it is told and answers when that is on its disk. */
  function server() {
    const state = { count: fs.existsSync("/count") ? Number(fs.readFileSync("/count", "utf8")) : 0 };
    const socket = createSocket("udp4", (_bytes, { port, address }) => {
      state.count++;
      const file = fs.openSync("/count.new", "w");
      fs.writeSync(file, String(state.count));
      ${syncs ? "fs.fsyncSync(file);" : ""}
      fs.closeSync(file);
      fs.renameSync("/count.new", "/count");
      ${syncs ? 'const folder = fs.openSync("/", "r"); fs.fsyncSync(folder); fs.closeSync(folder);' : ""}
      socket.send("done", port, address);
    });
    socket.bind(7);
    return state;
  }

  function client() {
    const state = { acknowledged: 0 };
    const socket = createSocket("udp4", () => void state.acknowledged++);
    socket.bind(8);
    return { state, ask: () => socket.send("add", 7, "server") };
  }

  export default defineSystem({
    nodes: { server: () => server(), client: () => client() },
    network: { loss: 1 },
    faults: { crashes: 1, crashing: ["server"], unsynced: "may-be-lost" },
    actions: { ask: { on: "client", times: 2, run: (node) => node.ask() } },
    always: {
      "acknowledged counts are kept": ({ nodes, isUp }) =>
        !isUp("server") || nodes.server.count >= nodes.client.state.acknowledged,
    },
    sometimes: { "both are counted": ({ nodes, isUp }) => isUp("server") && nodes.client.state.acknowledged === 2 },
  });
`;

test("a server that answers before it syncs loses what it acknowledged", async () => {
  expect(await verdicts(counter(false))).toMatchObject({ "acknowledged counts are kept": "violated" });
});

test("one that syncs first does not", async () => {
  expect(await verdicts(counter(true))).toMatchObject({
    "acknowledged counts are kept": "holds",
    "both are counted": "holds",
  });
});

const talk = (settings: string): string => `
  import { connect, createServer } from "node:net";

  function server() {
    const state = { heard: "" };
    createServer((socket) => {
      socket.setEncoding("utf8").on("data", (text) => void (state.heard += text));
      socket.on("error", () => {});
    }).listen(80);
    return state;
  }

  function client() {
    const state = { error: "", said: 0 };
    const socket = connect(80, "server");
    socket.on("error", (error) => void (state.error = error.code));
    return { state, say: () => void (state.error === "" && socket.write(String(++state.said))) };
  }

  export default defineSystem({
    nodes: { server: () => server(), client: () => client() },
    ${settings},
    always: {
      "in order, once": ({ nodes, isUp }) => !isUp("server") || ["", "1", "12"].includes(nodes.server.heard),
    },
    sometimes: {
      "all is heard": ({ nodes, isUp }) => isUp("server") && nodes.server.heard === "12",
      "reset": ({ nodes }) => nodes.client.state.error === "ECONNRESET",
    },
  });
`;

test("a connection with a node that has started again is reset", async () => {
  const settings = `faults: { crashes: 1, crashing: ["server"] }, actions: { say: { on: "client", times: 1, run: (node) => node.say() } }`;
  expect(await verdicts(talk(settings))).toMatchObject({ "in order, once": "holds", reset: "holds" });
});

test("callbacks of process.nextTick come before promise jobs, as in Node", async () => {
  const text = `
    const node = {
      log: [],
      begin() {
        Promise.resolve().then(() => void this.log.push("job"));
        process.nextTick(() => void this.log.push("tick"));
      },
    };
    export default defineSystem({
      nodes: { a: () => node },
      actions: { begin: { times: 1, run: (node) => node.begin() } },
      always: { order: ({ nodes }) => ["", "tick,job"].includes(nodes.a.log.join()) },
      sometimes: { both: ({ nodes }) => nodes.a.log.length === 2 },
    });
  `;
  expect(await verdicts(text)).toMatchObject({ order: "holds", both: "holds" });
});

test("the global object has Node's names", async () => {
  const text = `
    const { URL: Address } = globalThis;
    export default defineSystem({
      nodes: { a: () => ({ host: new Address("http://example.com/x").host, has: typeof globalThis.AbortController }) },
      always: { "is there": ({ nodes }) => nodes.a.host === "example.com" && nodes.a.has === "function" },
    });
  `;
  expect(await verdicts(text)).toMatchObject({ "is there": "holds" });
});

test("of HTTP, what is not there is refused by name", async () => {
  const checked = (module: string, run: string): ReturnType<typeof checkText> =>
    checkText(`
      import ${module} from "node:${module}";
      export default defineSystem<any>({ nodes: { a: () => ({}) }, actions: { go: { times: 1, run: () => void ${run} } } });`);
  const reason = async (run: string): Promise<string | undefined> =>
    (await checked("http", run)).properties.find(({ verdict }) => verdict === "unknown")?.reason;
  expect(await reason("new http.Agent({ keepAlive: true })")).toContain("http.Agent with keepAlive");
  expect(await reason("new http.Agent()")).toBeUndefined();
  const { properties, diagnostics } = await checked("https", 'https.get("https://a/")');
  expect(properties).toEqual([]);
  expect(diagnostics).toMatchObject([{ code: "code/not-supported", severity: "error" }]);
});

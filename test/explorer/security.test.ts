/** Unauthorised requests: each is logged, and its answer contains nothing of the project. */
import { mkdtempSync, readFileSync, realpathSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { request as send } from "node:http";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Gate } from "../../src/explorer/gate.js";
import { Project } from "../../src/explorer/project.js";
import { ask, enter, own, type Answer } from "./asking.js";
import { branching } from "./models.js";
import { useExplorer, type Started } from "./started.js";

const bench = useExplorer("stub");
const file = bench.write("secret-model.pml", `/* a secret of the project */\n${branching}`);
writeFileSync(join(bench.directory, "../outside.txt"), "outside of the project");

/** Refused with this status, logged, and without other information. */
async function expectRefused(
  started: Started,
  answer: Answer,
  status: number,
  reason: RegExp,
): Promise<void> {
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(reason);
  expect(answer.text).not.toMatch(/secret of the project|outside of the project|secret-model/);
  await expect.poll(() => started.log(), { timeout: 10_000 }).toMatch(reason);
  expect(started.log()).not.toContain(started.token);
}

describe("the server", () => {
  test("refuses every question without the secret", async () => {
    const started = await bench.start(file);
    for (const path of ["/api/project", "/api/runs", "/api/events"])
      await expectRefused(started, await ask(started, path), 401, /no secret/);
    for (const path of [
      "source",
      "save",
      "load",
      "run",
      "stop",
      "report",
      "trace",
      "walk",
      "wander",
      "graph",
      "picture",
      "automaton",
    ])
      await expectRefused(
        started,
        await ask(started, `/api/${path}`, { headers: own(started), body: { file } }),
        401,
        /no secret/,
      );
    const wrong = { ...own(started), "x-everypath-secret": started.token };
    await expectRefused(started, await ask(started, "/api/project", { headers: wrong }), 401, /wrong secret/);
  });

  test("gives the secret for the token once", async () => {
    const started = await bench.start(file);
    const exchange = (token: unknown): Promise<Answer> =>
      ask(started, "/api/session", { headers: own(started), body: { token } });
    await expectRefused(started, await exchange("x".repeat(started.token.length)), 403, /wrong token/);
    expect((await exchange(started.token)).status).toBe(200);
    const again = await exchange(started.token);
    await expectRefused(started, again, 403, /token was used/);
    expect(again.text).toBe('{"error":"the token was used before"}');
  });

  test("refuses other pages, even with the secret", async () => {
    const started = await bench.start(file);
    const headers = await enter(started);
    for (const origin of [
      "http://evil.example",
      "null",
      `http://127.0.0.1:${started.port + 1}`,
      `https://127.0.0.1:${started.port}`,
    ])
      await expectRefused(
        started,
        await ask(started, "/api/load", { headers: { ...headers, origin }, body: {} }),
        403,
        /foreign origin/,
      );
    const { origin: _, ...without } = headers;
    await expectRefused(
      started,
      await ask(started, "/api/load", { headers: without, body: {} }),
      403,
      /no origin/,
    );
    const embedded = { ...without, "sec-fetch-site": "cross-site" };
    await expectRefused(
      started,
      await ask(started, "/api/project", { headers: embedded }),
      403,
      /foreign page/,
    );
  });

  test("refuses names that were made to point here (DNS rebinding), even for the page itself", async () => {
    const started = await bench.start(file);
    const headers = await enter(started);
    for (const host of [
      "evil.example",
      `evil.example:${started.port}`,
      "127.0.0.1",
      `127.0.0.1:${started.port}.evil.example`,
    ])
      for (const path of ["/", "/api/project"])
        await expectRefused(
          started,
          await ask(started, path, { headers: { ...headers, host } }),
          403,
          /foreign host/,
        );
  });

  test("shows no file outside the project folder", async () => {
    const started = await bench.start(file);
    const headers = await enter(started);
    symlinkSync(join(bench.directory, "../outside.txt"), join(bench.directory, "link.pml"));
    const read = (name: string): Promise<Answer> =>
      ask(started, "/api/source", { headers, body: { file: name } });
    expect((await read(file)).text).toContain("a secret of the project");
    for (const name of [
      "../outside.txt",
      "link.pml",
      "/etc/passwd",
      "../../../../../../etc/passwd",
      "./a/../../outside.txt",
      "/does/not/exist",
    ])
      await expectRefused(started, await read(name), 403, /outside the project folder/);
    await expectRefused(started, await read("a\0b"), 403, /no such path/);
    const save = await ask(started, "/api/save", {
      headers,
      body: { file: "../outside.txt", text: "gone", mark: "" },
    });
    await expectRefused(started, save, 403, /outside the project folder/);
    expect(readFileSync(join(bench.directory, "../outside.txt"), "utf8")).toBe("outside of the project");
    for (const path of [
      "/../outside.txt",
      "/%2e%2e/outside.txt",
      "/assets/../../index.js",
      "/..%2f..%2fetc/passwd",
    ])
      await expectRefused(started, await ask(started, path, { headers }), 404, /no such page/);
  });

  test("includes nothing from outside the project folder", async () => {
    bench.write("including.pml", `#include "../outside.txt"\n${branching}`);
    const started = await bench.start("including.pml");
    const { text } = await ask(started, "/api/load", { headers: await enter(started), body: {} });
    expect(text).toMatch(/promela\/[a-z-]*(include|file|missing)/);
    expect(text).not.toContain("outside of the project");
  });

  test("reads no body that is too large, and no nonsense", async () => {
    const started = await bench.start(file);
    const headers = await enter(started);
    const large = await ask(started, "/api/load", { headers, body: { text: "x".repeat(3 << 20) } }).catch(
      () => undefined,
    );
    // The connection may close while the body is being sent.
    if (large) await expectRefused(started, large, 413, /too large/);
    await expect.poll(() => started.log(), { timeout: 10_000 }).toMatch(/the request is too large/);
    const chunked = { ...headers, "transfer-encoding": "chunked" };
    const endless = await ask(started, "/api/load", { headers: chunked, body: "[".repeat(3 << 20) }).catch(
      () => undefined,
    );
    if (endless) expect(endless.status).toBe(413);
    await expectRefused(
      started,
      await ask(started, "/api/load", { headers, body: "not json" }),
      400,
      /not a JSON object/,
    );
    await expectRefused(
      started,
      await ask(started, "/api/run", { headers, body: { store: "rm -rf" } }),
      400,
      /not understood: store/,
    );
    await expectRefused(
      started,
      await ask(started, "/api/load", { headers, method: "DELETE" }),
      405,
      /GET and POST/,
    );
    expect((await ask(started, "/api/project", { headers })).status).toBe(200);
  });

  test("says in its headers that nothing else may be loaded", async () => {
    const started = await bench.start(file);
    const answer = await new Promise<Record<string, unknown>>((resolve) =>
      send({ host: "127.0.0.1", port: started.port, path: "/" }, (response) =>
        resolve(response.headers),
      ).end(),
    );
    expect(answer["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self'/);
    expect(answer["x-content-type-options"]).toBe("nosniff");
    expect(answer["referrer-policy"]).toBe("no-referrer");
    expect(answer["access-control-allow-origin"]).toBeUndefined();
  });

  test("listens at 127.0.0.1 alone", async () => {
    const started = await bench.start(file);
    const reaches = (host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect({ host, port: started.port, timeout: 500 });
        const answer = (isOpen: boolean): void => (socket.destroy(), resolve(isOpen));
        socket
          .on("connect", () => answer(true))
          .on("error", () => answer(false))
          .on("timeout", () => answer(false));
      });
    expect(await reaches("127.0.0.1")).toBe(true);
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal }) => !internal);
    for (const { address } of others) expect(await reaches(address), address).toBe(false);
    if (process.platform === "linux") expect(listeners(started.port)).toEqual(["0100007F"]);
  });

  test("takes the port that is asked for, and says when it is taken", async () => {
    const started = await bench.start(file);
    await expect(bench.start(file, "--port", `${started.port}`)).rejects.toThrow(/usage\/port.*in use/s);
  });
});

/** Local addresses of TCP sockets that listen at a port, in the kernel's notation. */
function listeners(port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = "", , state]) => local.endsWith(`:${wanted}`) && state === "0A")
      .map(([, local]) => local!.split(":")[0]!),
  );
}

test("a secret is compared whole", () => {
  const gate = new Gate(1234);
  const { secret } = gate.exchange(gate.token) as { secret: string };
  expect(gate.refusesSecret({ "x-everypath-secret": secret })).toBeUndefined();
  expect(gate.refusesSecret({ "x-everypath-secret": secret.slice(1) })?.status).toBe(401);
  expect(gate.refusesSecret({ "x-everypath-secret": `${secret}x` })?.status).toBe(401);
  expect(gate.refusesSecret({})?.status).toBe(401);
});

test("the project folder is where the command runs, or else where the file is", () => {
  const folder = realpathSync(bench.directory);
  expect(new Project(file, bench.directory).folder).toBe(folder);
  const elsewhere = mkdtempSync(join(tmpdir(), "everypath-elsewhere-"));
  expect(new Project(join(bench.directory, file), elsewhere).folder).toBe(folder);
  rmdirSync(elsewhere);
});

/** `everypath replay --inspect`, driven by a debugger that uses only the protocol. */
import { copyFileSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { inRepository } from "../repository.js";
import { useCli } from "../cli/built-cli.js";
import { InspectorClient } from "./inspector-client.js";

const cli = useCli();
const slow = { timeout: 180_000 };

const example = (name: string): string => {
  copyFileSync(inRepository(`examples/code/systems/${name}`), join(cli.directory, name));
  return join(cli.directory, name);
};

test("a breakpoint in the user's file is met by the step of the trace, and by no other", slow, async () => {
  const file = example("two-phase-commit.ts");
  const line =
    readFileSync(file, "utf8")
      .split("\n")
      .findLastIndex((text) => text.includes("onTimer(")) + 1;
  await cli.run(["check", file, "-D", "IMPATIENT", "--property", "all decide alike", "--trace", "t.json"]);
  const stops: string[] = [];
  const { exitCode, stdout } = await cli.run(["replay", "t.json", "--inspect=0"], {
    meanwhile: async (_, stderr) => {
      let url: string | undefined;
      while ((url = /ws:\S+/.exec(stderr())?.[0]) === undefined)
        await new Promise((resolve) => setTimeout(resolve, 50));
      stops.push(...(await debug(url, file, line)));
    },
  });
  expect(stdout).toContain("reproduced after 5 steps");
  expect(exitCode).toBe(1);
  expect(stops).toEqual(["everypath-replay.js:1", `two-phase-commit.ts:${line + 1} true`]);
});

test("only code can be looked at", slow, async () => {
  cli.write("m.pml", "active proctype P() { assert(false) }");
  const { exitCode, stderr } = await cli.run(["replay", "0", "m.pml", "--inspect"]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("usage/no-code");
});

/** Sets a breakpoint after that line of the file; returns the stops until the end. */
async function debug(url: string, file: string, line: number): Promise<string[]> {
  const client = await InspectorClient.connect(url);
  await client.send("Runtime.enable");
  await client.send("Debugger.enable");
  await client.send("Runtime.runIfWaitingForDebugger");
  const stops: string[] = [];
  const first = await client.event("Debugger.paused");
  const names = new Map<string, string>();
  let map: SourceMap | undefined;
  for (const { params } of client.events.filter(({ method }) => method === "Debugger.scriptParsed")) {
    names.set(params["scriptId"] as string, params["url"] as string);
    const [, data] = /base64,(.*)$/.exec(String(params["sourceMapURL"])) ?? [];
    if (params["url"] === "everypath-system.js" && data !== undefined)
      map = new SourceMap(JSON.parse(Buffer.from(data, "base64").toString("utf8")) as never);
  }
  const { location } = (first!["callFrames"] as Frame[])[0]!;
  stops.push(`${names.get(location.scriptId)}:${location.lineNumber + 1}`);
  const lineNumber = generatedLine(map!, pathToFileURL(file).href, line);
  await client.send("Debugger.setBreakpointByUrl", { url: "everypath-system.js", lineNumber });
  for (;;) {
    void client.send("Debugger.resume");
    const event = await client.event("Debugger.paused");
    if (!event) break;
    const frame = (event["callFrames"] as Frame[])[0]!;
    const { originalLine, originalSource } = map!.findEntry(
      frame.location.lineNumber,
      frame.location.columnNumber,
    ) as { originalLine: number; originalSource: string };
    const who = await client.send<{ result: { value: string } }>("Debugger.evaluateOnCallFrame", {
      callFrameId: frame.callFrameId,
      expression: "String(this.hasVoted)",
    });
    stops.push(`${originalSource.replace(/^.*\//, "")}:${originalLine + 1} ${who.result.value}`);
  }
  client.close();
  return stops;
}

interface Frame {
  readonly callFrameId: string;
  readonly location: {
    readonly scriptId: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
}

/** The first line of the bundle that maps to the line after `line`. */
function generatedLine(map: SourceMap, source: string, line: number): number {
  for (let at = 0; at < 100_000; at++) {
    const entry = map.findEntry(at, 4) as {
      originalSource?: string;
      originalLine?: number;
      generatedLine?: number;
    };
    if (entry.generatedLine === at && entry.originalSource === source && entry.originalLine === line)
      return at;
  }
  throw new Error("the line is not in the source map");
}

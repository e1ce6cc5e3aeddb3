/** `replay --export`: each format is read by its tool or by its documented grammar; the link opens without a server. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mermaid from "mermaid";
import { expect, test } from "vitest";
import { describeWithPeers } from "../peers.js";
import { launchBrowser } from "../report/browser.js";
import { inRepository } from "../repository.js";
import { useCli } from "./built-cli.js";

const cli = useCli();
const payment = [inRepository("examples/models/retried-payment.pml"), "0*4.1.0*5"] as const;
const shop = [inRepository("examples/models/print-shop.pml"), "1.0*7"] as const;
const exported = async ([file, schedule]: readonly [string, string], ...formats: string[]) =>
  cli.run(["replay", schedule, file, ...formats.flatMap((format) => ["--export", format])]);

for (const model of [payment, shop]) {
  test(`Mermaid parses ${model[1]}`, async () => {
    const { stdout } = await exported(model, "mermaid");
    expect(await mermaid.parse(stdout)).toMatchObject({ diagramType: "sequence" });
  });

  test(`PlantUML's grammar has every line of ${model[1]}`, async () => {
    const lines = (await exported(model, "plantuml")).stdout.trimEnd().split("\n");
    expect([lines[0], lines.at(-1)]).toEqual(["@startuml", "@enduml"]);
    const declared = new Set<string>();
    for (const line of lines.slice(1, -1)) {
      const participant = /^participant "[^"]*" as (P\d+)$/.exec(line);
      if (participant) declared.add(participant[1] ?? "");
      else
        expect(line).toMatch(
          /^(title .+|note over P\d+(, P\d+)* : .+|P\d+ (->|-->|->x) P\d+ : .+|== .+ ==)$/,
        );
      for (const [id] of participant ? [] : line.replace(/ : .*/, "").matchAll(/\bP\d+\b/g))
        expect(declared).toContain(id);
    }
  });

  test(`ShiViz's expression and clocks fit ${model[1]}`, async () => {
    const { stdout } = await exported(model, "shiviz");
    const events = [...stdout.matchAll(/(?<host>\S+) (?<clock>{.*})\n(?<event>.*)\n/g)];
    expect(events.map(([text]) => text).join("")).toBe(stdout);
    const last: Record<string, number> = {};
    for (const { groups } of events) {
      const { host = "", clock = "" } = groups ?? {};
      const times = JSON.parse(clock) as Record<string, number>;
      expect(times[host]).toBe((last[host] ?? 0) + 1);
      for (const [other, time] of Object.entries(times))
        if (other !== host) expect(time).toBeLessThanOrEqual(last[other] ?? 0);
      last[host] = times[host] ?? 0;
    }
  });
}

test("files and standard output; the usual text stays with files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "everypath-export-"));
  const itf = join(folder, "t.itf.json");
  const { stdout, exitCode } = await exported(payment, `itf=${itf}`, `mermaid=${join(folder, "t.mmd")}`);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("reproduced after 10 steps");
  expect((JSON.parse(readFileSync(itf, "utf8")) as { states: unknown[] }).states).toHaveLength(11);
  const again = await cli.run(["replay", itf, payment[0], "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "failed", trace: { schedule: payment[1] } });
});

test.each([
  [["--export", "itf", "--export", "mermaid"], "usage/one-output"],
  [["--export", "itf", "--json"], "usage/one-output"],
  [["--export", "page"], "usage/bad-value"],
  [["--export", "itf=/nowhere/at/all"], "usage/cannot-write"],
  [["--export", "itf="], "usage/bad-value"],
])("%j is refused", async (args, code) => {
  const result = await cli.run(["replay", payment[1], payment[0], ...args]);
  expect(result.exitCode).toBe(3);
  expect(result.stdout + result.stderr).toContain(code);
});

test("a trace with omitted steps is not exported", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "everypath-export-")), "long.pml");
  writeFileSync(file, "active proctype P() { do :: skip od }");
  const result = await cli.run(["replay", "0*50000", file, "--export", "shiviz"]);
  expect(result).toMatchObject({ exitCode: 3, stdout: "" });
  expect(result.stderr).toContain("too long");
});

describeWithPeers("a trace as a link", ["chromium"], () => {
  test("opens in a page without a server, and keeps the trace in its address", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "everypath-link-")), "trace.html");
    const link = (await exported(payment, `page=${path}`)).stderr
      .split("\n")
      .find((line) => line.startsWith("file:"));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      await page.goto(link ?? "");
      await page.getByText("step 10 of 10").waitFor();
      expect(await page.locator(".step").count()).toBe(11);
      expect(await page.locator(".source .is-current").textContent()).toContain("assert(booked <= 1)");
      expect(await page.locator(".step .process").nth(1).textContent()).toBe("Client[1]");
      await page.keyboard.press("Home");
      expect(page.url()).toMatch(/#trace=.*&step=0$/);
      await page.reload();
      await page.getByText("initial state").first().waitFor();
      expect(await page.locator("footer").textContent()).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      await page.goto(`${(link ?? "").replace(/#.*/, "")}#trace=AAAA`);
      await page.getByText("The trace in this address is damaged").waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

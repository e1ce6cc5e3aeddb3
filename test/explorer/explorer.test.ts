/** The explorer in a real browser. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { branching, endless, huge, long, messages } from "./models.js";
import { counter, eventually, press, runToTrace, usePages } from "./pages.js";
import { useExplorer } from "./started.js";

describeWithPeers("the explorer in Chromium", ["chromium"], () => {
  const bench = useExplorer("built");
  const pages = usePages();
  const open = pages.open;

  /** Shared by tests that only read the model of the messages; each starts at the first view. */
  let messagesPage: Promise<Page> | undefined;
  async function openMessages(): Promise<Page> {
    const page = await (messagesPage ??= bench.keep(bench.write("messages.pml", messages)).then(pages.keep));
    await page.evaluate("location.hash = '#/run'");
    await page.reload();
    await page.waitForSelector(".properties");
    return page;
  }
  const value = async (page: Page, name: string): Promise<string> => {
    const cells = page.locator(`.values tr:has(button[aria-label="watch ${name}"])`).first().locator("td");
    return (await cells.allTextContents()).slice(1).join(" ").trim();
  };

  test("a run ends in a violation, whose trace can be stepped and slid through", async () => {
    const page = await open(await bench.start(bench.write("branching.pml", branching)));
    await runToTrace(page);
    expect(await counter(page)).toBe("step 3 of 3");
    expect(await page.textContent(".ending")).toContain("assertion violated: x != 3");
    expect(await page.textContent(".cm-step")).toContain("assert(x != 3)");
    await press(page, "previous");
    expect(await counter(page)).toBe("step 2 of 3");
    expect(await value(page, "x")).toBe("3 was 2");
    await page.locator("#slider").fill("1");
    expect(await counter(page)).toBe("step 1 of 3");
    expect(await value(page, "x")).toBe("2 was 0");
    await page.click("#step-0");
    expect(await counter(page)).toBe("first state, 3 steps");
  });

  test("a walk branches off, undoes, and goes back to the trace", async () => {
    const started = await bench.start(bench.write("walk.pml", branching));
    const page = await open(started);
    await runToTrace(page);
    await page.click("#step-0");
    await press(page, "Branch off here");
    await page.waitForSelector(".choice");
    expect(await page.locator(".choice").count()).toBe(2);
    expect(await page.locator(".choice").first().textContent()).toContain("x = 1");
    await page.locator(".choice").first().click();
    await eventually(() => counter(page)).toBe("after 1 step");
    expect(await value(page, "x")).toBe("1 was 0");
    await press(page, "Random walk");
    await eventually(() => page.textContent(".ending")).toContain("the run ends here");
    const address = page.url();
    expect(address).toContain("#/walk?at=0");
    await page.reload();
    await eventually(() => page.url()).toBe(address);
    await eventually(() => page.textContent(".ending")).toContain("the run ends here");
    await press(page, "Undo");
    await eventually(() => page.locator(".choice").count()).toBe(1);
    await press(page, "To the first state");
    await eventually(() => page.locator(".choice").count()).toBe(2);
    await press(page, /Back to the trace/);
    await eventually(() => counter(page)).toBe("first state, 3 steps");
  });

  test("a reload in the middle of a trace comes back to the same step", async () => {
    const page = await open(await bench.start(bench.write("reload.pml", branching)));
    await runToTrace(page);
    await press(page, "previous");
    await page.reload();
    await page.waitForSelector(".steps .is-current");
    expect(await counter(page)).toBe("step 2 of 3");
    expect(await value(page, "x")).toBe("3 was 2");
  });

  test("--at opens the place that a schedule leads to", async () => {
    const started = await bench.start(bench.write("at.pml", branching), "--at", "1.0");
    const page = await open(started);
    await eventually(() => counter(page)).toBe("after 2 steps");
    expect(await value(page, "x")).toBe("3 was 2");
    expect(await page.locator(".steps .step").count()).toBe(3);
    expect(await page.locator(".choice .bad").textContent()).toBe("assertion violated: x != 3");
  });

  test("--at with a schedule of another model says so", async () => {
    const page = await open(await bench.start(bench.write("other.pml", branching), "--at", "1.7"));
    await eventually(() => page.textContent(".ending")).toContain("the model offers only 1 at step 2");
  });

  test("a long run shows its figures, stops when asked, and Ctrl-C ends everything", async () => {
    const started = await bench.start(bench.write("huge.pml", huge));
    const page = await open(started);
    await press(page, "Run");
    await page.waitForSelector(".frontier");
    const states = async (): Promise<number> =>
      Number((await page.textContent(".figures dd"))!.replaceAll(",", ""));
    const before = await states();
    await eventually(states).toBeGreaterThan(before);
    await press(page, "Stop");
    await eventually(() => page.textContent(".verdict")).toMatch(/unknown.*(interrupt|stopped)/);
    await press(page, "Run");
    await eventually(() => page.textContent(".top .chip")).toBe("running");
    expect(await started.stop()).toBe(0);
    await eventually(() => page.textContent(".notices")).toContain("The server is gone");
  });

  test("an error in the text is underlined as it is typed, and mended", async () => {
    const name = bench.write("edit.pml", branching);
    const page = await open(await bench.start(name));
    await page.click(".cm-line >> nth=6");
    await page.keyboard.press("End");
    await page.keyboard.type(" y = 1;");
    await eventually(() => page.textContent(".problems")).toContain("edit.pml:7:14 error");
    expect(await page.locator(".cm-lintRange-error").count()).toBe(1);
    expect(await page.textContent(".top")).toContain("unsaved edits");
    expect(readFileSync(join(bench.directory, name), "utf8")).toBe(branching);
    for (let i = 0; i < " y = 1;".length; i++) await page.keyboard.press("Backspace");
    await eventually(() => page.locator(".problems").count()).toBe(0);
    await page.keyboard.type(" x = 0;");
    await page.keyboard.press("Control+s");
    await eventually(() => readFileSync(join(bench.directory, name), "utf8")).toContain("x = x + 1; x = 0;");
    await press(page, "Run");
    await eventually(() => page.textContent(".verdict")).toContain("holds: every execution was explored");
  });

  test("a file that changes on disk is run again, but an edit is never lost", async () => {
    const name = bench.write("disk.pml", branching);
    const page = await open(await bench.start(name));
    await press(page, "Run");
    await eventually(() => page.textContent(".verdict")).toContain("violated");
    bench.write(name, branching.replace("x != 3", "x != 4"));
    await eventually(() => page.textContent(".verdict")).toContain("holds");
    expect(await page.textContent(".cm-content")).toContain("x != 4");
    await page.click(".cm-line >> nth=0");
    await page.keyboard.press("Home");
    await page.keyboard.type("/* mine */ ");
    bench.write(name, branching.replace("x != 3", "x != 5"));
    await eventually(() => page.textContent(".notices")).toContain(
      "was changed on disk, and you have unsaved edits",
    );
    expect(await page.textContent(".cm-content")).toContain("/* mine */");
    await press(page, "Save");
    await eventually(() => page.textContent(".notices")).toContain("changed by another program");
    expect(readFileSync(join(bench.directory, name), "utf8")).toContain("x != 5");
    await press(page, "keep mine");
    await press(page, "Save");
    await eventually(() => readFileSync(join(bench.directory, name), "utf8")).toContain("/* mine */");
  });

  test("a text with errors, and a state without steps, are told in words", async () => {
    const page = await open(await bench.start(bench.write("broken.pml", "active proctype P( { skip }")));
    await eventually(() => page.textContent("main")).toContain("The saved text has errors");
    expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
    await page.click("nav >> text=Walk");
    await eventually(() => page.textContent("main")).toContain("the model has errors");
    await page.click("nav >> text=Graph");
    await eventually(() => page.textContent("main")).toContain("There is no graph");
    await page.click("nav >> text=Trace");
    await eventually(() => page.textContent("main")).toContain("There is no trace to show");
    await page.click("nav >> text=Compare");
    await eventually(() => page.textContent("main")).toContain("Nothing ran yet");
  });

  test("the trace is walked by keyboard alone", async () => {
    const page = await openMessages();
    await page.getByRole("button", { name: "Run", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Show the trace/ }).focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".steps .is-current");
    const last = await counter(page);
    await page.keyboard.press("Home");
    expect(await counter(page)).toMatch(/^first state/);
    for (const key of ["j", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    expect(await counter(page)).toMatch(/^step 3 of/);
    for (const key of ["k", "ArrowUp"]) await page.keyboard.press(key);
    expect(await counter(page)).toMatch(/^step 1 of/);
    await page.keyboard.press("End");
    expect(await counter(page)).toBe(last);
    await page.keyboard.press("/");
    await page.keyboard.type("wanted++");
    await page.keyboard.press("Enter");
    expect(await page.textContent(".steps .is-current")).toContain("wanted++");
    await page.keyboard.press("Escape");
    await page.keyboard.press("w");
    await page.waitForSelector(".choice");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await eventually(() => counter(page)).toMatch(/^after/);
    await page.keyboard.press("u");
    await page.keyboard.press("b");
    await eventually(() => counter(page)).toMatch(/^step \d of/);
  });

  test("the chart has lanes and arrows, collapses, and leaves processes out", async () => {
    const page = await openMessages();
    await runToTrace(page);
    await press(page, "Sequence chart");
    expect(await page.locator(".chart .msc-name").allTextContents()).toEqual(["Client[0]", "Server[1]"]);
    const arrows = await page.locator(".chart .msc-arrow").count();
    const boxes = await page.locator(".chart .msc-box").count();
    await page.getByLabel("messages only").check();
    expect(await page.locator(".chart .msc-arrow").count()).toBe(arrows);
    expect(await page.locator(".chart .msc-box").count()).toBeLessThan(boxes);
    expect(await page.textContent(".chart")).toContain("not drawn");
    await page.click("text=processes (2 of 2)");
    await page.getByRole("checkbox", { name: "Server[1]" }).uncheck();
    expect(await page.locator(".chart .msc-name").allTextContents()).toEqual(["Client[0]"]);
  });

  test("the trace can be taken along in every format", async () => {
    const page = await openMessages();
    await runToTrace(page);
    await page.click("text=Copy as …");
    const expected: Record<string, RegExp> = {
      schedule: /^[\d.*]+$/,
      JSON: /"participants"/,
      SVG: /^<svg xmlns/,
      Mermaid: /^sequenceDiagram\n {4}participant P0 as Client\[0\]/,
      "ShiViz log": /^Client\[0\] \{"Client\[0\]":1\}\n1\. wire!ask\(3\)\n/,
    };
    for (const [format, content] of Object.entries(expected)) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: `save as a file: ${format}` }).click(),
      ]);
      expect(readFileSync(await download.path(), "utf8"), format).toMatch(content);
    }
  });

  test("the cycle of a liveness counterexample is a loop, and its automaton is drawn", async () => {
    const page = await open(await bench.start(bench.write("endless.pml", endless)));
    await runToTrace(page);
    expect(await page.textContent(".ending")).toContain("rests is violated: the loop goes back to step");
    expect(await page.locator(".step.loop-begin").count()).toBe(1);
    expect(await page.locator(".step.loop-end").count()).toBe(1);
    await page.click("nav >> text=Graph");
    await page.waitForSelector(".graph .node");
    await eventually(() => page.locator(".drawing svg.automaton").count()).toBe(1);
  });

  test("two steps are compared, values are filtered and watched", async () => {
    const page = await openMessages();
    await runToTrace(page);
    await page.click("#step-0");
    await press(page, "Compare from here");
    await page.keyboard.press("End");
    const rows = await page.locator(".values tr").allTextContents();
    expect(rows.join()).toContain("Client[0]:got4was 0");
    expect(rows.join()).not.toContain("wire");
    await press(page, /Comparing with step 0/);
    await page.getByLabel("Filter the values").fill("got");
    expect(await page.locator("[aria-label='All values'] tr").count()).toBe(1);
    await page.getByLabel("watch Client[0]:got").last().click();
    await page.getByLabel("Filter the values").fill("");
    expect(await page.textContent(".watches td >> nth=1")).toBe("4");
  });

  test("the graph is whole, searched, merged by values and exported", async () => {
    const page = await open(await bench.start(bench.write("graph.pml", branching)), "#/graph");
    await page.waitForSelector(".graph .node");
    expect(await page.textContent(".ending")).toContain("This is the whole system.");
    const all = await page.locator(".graph .node").count();
    await page.getByLabel("Search the states").fill("x == 3 || x == 1");
    expect(await page.textContent(".tools [role=status]")).toMatch(/^\d states?$/);
    await page.keyboard.press("Enter");
    expect(await page.textContent("[aria-label='Selected state']")).toMatch(/State \d/);
    const [dot] = await Promise.all([page.waitForEvent("download"), press(page, "DOT")]);
    expect(readFileSync(await dot.path(), "utf8")).toMatch(/^digraph states \{[\s\S]*P\[0\]: x = 1/);
    const [svg] = await Promise.all([page.waitForEvent("download"), press(page, "SVG")]);
    expect(readFileSync(await svg.path(), "utf8")).toMatch(
      /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/,
    );
    await page.click("text=merge by values");
    await page.getByRole("checkbox", { name: "x", exact: true }).check();
    expect(await page.locator(".graph .node").count()).toBeLessThan(all);
  });

  test("the graph fills its page, says what its colours mean, and shows the way of the trace", async () => {
    const page = await open(await bench.start(bench.write("way.pml", long(12))));
    await runToTrace(page);
    await page.click("nav >> text=Graph");
    await page.waitForSelector(".graph .node.is-path");
    expect(await page.locator(".graph .node.is-path").count()).toBe(27);
    expect(await page.locator(".graph .edge.is-path").count()).toBe(26);
    expect(await page.locator(".legend li").allTextContents()).toEqual([
      "a state",
      "a step that fails",
      "the first state",
      "on the trace",
    ]);
    await page.getByText("being improved").waitFor({ state: "hidden" });
    const [, , width, height] = (await page.locator(".graph").getAttribute("data-whole"))!
      .split(" ")
      .map(Number);
    expect(width! / height!).toBeGreaterThan(1);
    expect(width! / height!).toBeLessThan(3);
    const frame = (): Promise<string | null> => page.locator(".graph").getAttribute("viewBox");
    await press(page, "Fit");
    expect(await frame()).toBe(await page.locator(".graph").getAttribute("data-whole"));
    await press(page, "zoom in");
    expect(Number((await frame())!.split(" ")[2])).toBeLessThan(width!);
    await page.getByLabel("colour by").selectOption("value n");
    expect(await page.locator(".legend li").allTextContents()).toContain("another value");
  });

  test("a large system is drawn by neighbourhoods", async () => {
    const page = await open(await bench.start(bench.write("large.pml", huge)), "#/graph");
    await page.waitForSelector(".graph .node");
    expect(await page.textContent(".ending")).toContain("There is more");
    await page.getByLabel("at most").selectOption("30");
    await eventually(() => page.locator(".graph .node").count()).toBe(30);
    await page.locator(".graph .node.is-open").first().click({ force: true });
    await press(page, "Expand");
    await eventually(() => page.locator(".graph .node").count()).toBeGreaterThan(30);
  });

  test("a system that can be drawn is, at every step of a trace and of a walk", async () => {
    const page = await open(await bench.start(inRepository("examples/nets/lock.spec")));
    await runToTrace(page);
    const critical = (): Promise<string | null> =>
      page.locator(".picture .net-place.is-marked title").textContent();
    await eventually(critical).toBe("critical: 2");
    await page.keyboard.press("Home");
    await eventually(critical).toBe("critical: 0");
    await press(page, "Branch off here");
    await page.waitForSelector(".choice");
    await eventually(() => page.locator(".picture .net-place").count()).toBe(4);
    for (const name of ["t1", "t2"]) await page.locator(".choice", { hasText: name }).click();
    await eventually(critical).toBe("critical: 1");
    expect(await page.locator(".picture .is-fired text").textContent()).toBe("t2");
  });

  test("what is derived and not run is shown as a derivation", async () => {
    const page = await open(await bench.start(inRepository("examples/nets/pairing.bvas")));
    await press(page, "Run");
    await eventually(() => page.textContent(".derived")).toContain("Derivation in 3 steps");
    expect(await page.locator(".derived svg.derivation g").count()).toBe(3);
    await page.click("nav >> text=Walk");
    await eventually(() => page.textContent("main")).toContain("no states to step through");
  });

  test("code is read while it is typed, and the page says when it runs", async () => {
    const system = readFileSync(inRepository("examples/code/systems/token-ring.ts"), "utf8");
    const page = await open(await bench.start(bench.write("typed.ts", system)));
    await eventually(() => page.textContent(".said")).toContain("While you type it is only read");
    await page.click(".cm-line >> nth=1");
    await page.keyboard.press("End");
    await page.keyboard.type(" const = 1;");
    await eventually(() => page.textContent(".problems")).toMatch(/typed\.ts:2:\d+ error/);
  });

  test("two runs are compared", async () => {
    const page = await open(await bench.start(bench.write("compare.pml", messages)), "#/compare");
    await page.getByLabel("Left run").first().getByRole("button", { name: "Run" }).click();
    await eventually(() => page.locator(".comparison").count()).toBe(1);
    await eventually(() => page.textContent(".top .chip")).toBe("violated");
    await page.getByLabel("Right run").first().getByRole("button", { name: "Run" }).click();
    await eventually(() => page.textContent(".comparison")).toContain("slice, dead, merge, por");
    await eventually(() => page.textContent(".comparison tbody")).toMatch(/reduced bynothing/);
  });

  test("the report that is saved works offline, one step off the trace", async () => {
    const page = await open(await bench.start(bench.write("share.pml", branching)));
    await press(page, "Run");
    await page.waitForSelector(".verdict");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      press(page, "Save the report as one file"),
    ]);
    const file = join(bench.directory, "shared.html");
    writeFileSync(file, readFileSync(await download.path()));
    const context = await pages.context({ offline: true });
    const report = await context.newPage();
    await report.goto(pathToFileURL(file).href);
    expect(await report.textContent("#counter")).toBe("step 3 of 3");
    await report.keyboard.press("Home");
    expect(await report.locator(".walk .choice").count()).toBe(2);
    await report.locator(".walk .choice:not(.is-taken)").click();
    expect(await report.textContent("#counter")).toBe("off the trace");
    expect(await report.textContent("#values")).toBe("x1  was 0");
    await report.locator(".walk .choice.is-taken").click();
    expect(await report.textContent("#counter")).toBe("step 1 of 3");
    rmSync(file);
  });

  test("ten thousand steps keep few rows in the page", async () => {
    const page = await open(await bench.start(bench.write("long.pml", long(5000))));
    await runToTrace(page);
    expect(await counter(page)).toMatch(/^step 10002 of 10002/);
    const rows = (): Promise<number> => page.locator(".steps .step").count();
    expect(await rows()).toBeLessThanOrEqual(200);
    for (const top of [0, 50_000, 123_456, 200_000]) {
      await page.locator(".steps").evaluate(`(pane) => { pane.scrollTop = ${top}; }`);
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
      expect(await rows()).toBeLessThanOrEqual(200);
    }
    await page.locator("#slider").fill("4000");
    expect(await counter(page)).toBe("step 4000 of 10002");
    expect(await value(page, "n")).toMatch(/^2000/);
    await press(page, "Sequence chart");
    expect(await page.locator(".chart .msc-row").count()).toBeLessThanOrEqual(300);
  });

  test("a page that was not let in says what to do", async () => {
    const started = await bench.start(bench.write("closed.pml", branching));
    await open(started);
    const context = await pages.context();
    const page = await context.newPage();
    await page.goto(started.url);
    await eventually(() => page.textContent("main")).toContain("the token was used before");
    expect(await page.textContent("main")).toContain("everypath explore FILE");
  });

  test("text stands out from its page, in light and in dark", async () => {
    const started = await bench.start(bench.write("scheme.pml", branching));
    const page = await open(started);
    await runToTrace(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const selector of [
        ".steps .who",
        ".steps .effect",
        ".steps .is-fault .what",
        ".values td",
        ".keys",
        ".top .chip",
        ".top .faint",
      ])
        expect(await contrast(page, selector), `${selector} in ${colorScheme}`).toBeGreaterThan(4.5);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(720);
  });
});

/** Contrast ratio (WCAG 2) between an element's text and its background. */
function contrast(page: Page, selector: string): Promise<number> {
  return page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = (color) => {
      const [r, g, b] = numbers(color).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let behind = element;
    while (behind && (numbers(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) behind = behind.parentElement;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(getComputedStyle(behind ?? document.body).backgroundColor)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  })()`);
}

/** The explorer tells the truth, keeps edits, and fits small windows: in a real browser. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { branching, huge, long } from "./models.js";
import { counter, eventually, press, runToTrace, usePages } from "./pages.js";
import { useExplorer } from "./started.js";

const lockServer = [inRepository("examples/models/lock-server.m"), "-D", "CAREFUL=false"] as const;

describeWithPeers("the explorer in Chromium", ["chromium"], () => {
  const bench = useExplorer("built");
  const pages = usePages();

  test("a search in a long trace also covers steps that are not listed", async () => {
    const page = await pages.open(await bench.start(bench.write("long.pml", long(10_500))));
    await runToTrace(page);
    expect(await page.locator("#step-0").count()).toBe(0);
    await page.keyboard.press("Home");
    await page.keyboard.press("/");
    await page.keyboard.type("n = 5250");
    await eventually(() => page.textContent("#found")).toBe("1 match, 1 in steps that are not listed");
    await page.keyboard.press("Enter");
    await eventually(() => counter(page)).toBe("step 10500 of 21002");
    await eventually(() => page.textContent(".steps .is-current")).toContain("n = 5250");
    await page.getByLabel("Search the steps").fill("n = 52501");
    await eventually(() => page.textContent("#found")).toBe("not found");
    await page.getByLabel("Search the steps").fill("assertion violated");
    await eventually(() => page.textContent("#found")).toBe("1 match");
    await page.getByLabel("Search the steps").fill("n = 0");
    await page.keyboard.press("Enter");
    await eventually(() => counter(page)).toMatch(/^first state/);
  });

  test("a search in a graph refuses unknown names, and says what it did not look at", async () => {
    const page = await pages.open(await bench.start(bench.write("large.pml", huge)), "#/graph");
    await page.waitForSelector(".graph .node");
    const status = (): Promise<string | null> => page.textContent(".tools [role=status]");
    await page.getByLabel("Search the states").fill("a == 1 && b + c >= 0");
    expect(await status()).toMatch(/^\d+ states? among the 200 drawn; the others were not searched$/);
    await page.getByLabel("Search the states").fill("e == 1");
    expect(await status()).toContain("no variable and no value is called 'e'");
    expect(await page.locator(".graph .node.is-match").count()).toBe(0);
    await page.getByLabel("Search the states").fill("a == 100");
    expect(await status()).toBe("no state is like that among the 200 drawn; the others were not searched");
  });

  test("a state that is to be reached is reached, or never", async () => {
    const page = await pages.open(await bench.start(inRepository("examples/code/systems/token-ring.ts")));
    await press(page, "Run");
    await eventually(() => page.locator(".answers li").count()).toBe(5);
    const answer = page.locator(".answers li", { hasText: "c has the token" });
    expect(await answer.locator(".chip").textContent()).toBe("reached");
    expect(await answer.locator(".reason").textContent()).toBe("a state that satisfies it is reachable");
    await page.click("nav >> text=Graph");
    await page.waitForSelector(".graph .node");
    await page.getByLabel("colour by").selectOption("label reached: c has the token");
    expect(await page.locator(".legend li").allTextContents()).toEqual(
      expect.arrayContaining(["reached: c has the token", "not reached: c has the token"]),
    );
  });

  test("a violated invariant is marked like a violated assertion, in steps, source and chart", async () => {
    const page = await pages.open(await bench.start(...lockServer));
    await runToTrace(page);
    expect(await page.locator(".steps .is-fault").count()).toBe(1);
    expect(await page.textContent(".steps .is-fault.is-current")).toContain(
      "✗ invariant violated: one at a time",
    );
    await page.locator(".cm-scroller").evaluate("(pane) => { pane.scrollTop = 1e6; }");
    await eventually(() => page.textContent(".cm-violated")).toContain('invariant "one at a time"');
    await page.keyboard.press("Home");
    await eventually(() => page.locator(".cm-violated").count()).toBe(0);
    const file = bench.write("bound.pml", branching);
    const chart = await pages.open(await bench.start(file, "--invariant", "x < 2"));
    await runToTrace(chart);
    await press(chart, "Sequence chart");
    expect(await chart.locator(".chart .msc-fault").count()).toBe(1);
  });

  test("advice names controls that are on the page", async () => {
    const page = await pages.open(await bench.start(...lockServer));
    await press(page, "Run");
    await page.waitForSelector(".answers .reason");
    const advice = (await page.locator(".answers .reason").allTextContents()).join("\n");
    expect(advice).toContain("“continue after the first error” under “How to search”");
    expect(advice).not.toContain("--");
    await page.click("text=How to search");
    // Every control that advice can name.
    const labels = await page.evaluate(
      "[...document.querySelectorAll('.options label')].map((label) => label.firstChild.textContent)",
    );
    const named = [
      "most states",
      "seconds",
      "search",
      "engine",
      "store",
      "fairness",
      "threads",
      "reductions",
    ];
    expect(labels).toEqual(expect.arrayContaining(named));
    await page.getByLabel("continue after the first error").check();
    await press(page, "Run");
    await eventually(async () => (await page.locator(".answers .chip").allTextContents()).toSorted()).toEqual(
      ["holds", "violated", "violated"],
    );
  });

  test("an unsaved edit survives a reload, and leaving asks", async () => {
    const name = bench.write("kept.pml", branching);
    const page = await pages.open(await bench.start(name));
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.click(".cm-line >> nth=0");
    await page.keyboard.type("/* mine */ ");
    await eventually(() => page.textContent(".top")).toContain("unsaved edits");
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    await eventually(() => page.textContent(".notices")).toContain("from before the reload are back");
    expect(await page.textContent(".cm-content")).toContain("/* mine */");
    await press(page, "keep them");
    expect(await page.textContent(".notices")).toBe("");
    // Another program writes the file while the page is reloaded.
    bench.write(name, branching.replace("x != 3", "x != 4"));
    await page.reload();
    await eventually(() => page.textContent(".notices")).toContain("was changed on disk");
    expect(await page.textContent(".cm-content")).toContain("/* mine */");
    await press(page, "take the text on disk");
    await page.reload();
    await eventually(() => page.textContent(".cm-content")).toContain("x != 4");
    expect(await page.textContent(".cm-content")).not.toContain("/* mine */");
    expect(asked).toHaveLength(2);
    expect(readFileSync(join(bench.directory, name), "utf8")).not.toContain("mine");
  });

  test("in a small window the result of a run is in view, below file and verdict", async () => {
    const page = await pages.open(await bench.start(...lockServer));
    for (const [width, height] of [
      [800, 600],
      [650, 600], // The list of files is wider than its column here.
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.click("nav >> text=Run");
      await page.locator(".split").evaluate("(pane) => { pane.scrollTop = 0; }");
      await press(page, "Run");
      await eventually(() => isInView(page, ".verdict")).toBe(true);
      await eventually(() => page.textContent(".top .chip")).toBe("violated");
      await eventually(() => isInView(page, "text=Show the trace")).toBe(true);
      await press(page, /Show the trace/);
      await page.waitForSelector(".steps .is-current");
      for (const selector of [".top .file b", ".top .chip", ".ending", ".steps .is-current"])
        expect(await isInView(page, selector), `${selector} at ${width}`).toBe(true);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });

  test("? lists the keys of the view, and Escape closes the list", async () => {
    const page = await pages.open(await bench.start(bench.write("keys.pml", branching)));
    await runToTrace(page);
    await page.keyboard.press("?");
    expect(await page.textContent("dialog[open]")).toContain("branch off: walk from here");
    const before = await counter(page);
    await page.keyboard.press("k");
    expect(await counter(page)).toBe(before);
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.keyboard.press("w");
    await page.waitForSelector(".choices");
    await page.keyboard.press("?");
    expect(await page.textContent("dialog[open]")).toContain("walk at random");
    await press(page, "Close");
    await page.click("nav >> text=Graph");
    await page.waitForSelector(".graph .node");
    await press(page, "keyboard help");
    expect(await page.textContent("dialog[open]")).toContain("zoom the drawing");
    await press(page, "Close");
    await page.click("nav >> text=Run");
    expect(await page.textContent(".way-out")).toContain("Escape then Tab leaves the editor");
    await page.click(".cm-line >> nth=0");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('.cm-editor')")).toBeNull();
  });
});

async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  const { width, height } = page.viewportSize()!;
  return (
    box !== null &&
    box.width > 10 &&
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= width + 1 &&
    box.y + box.height <= height + 1
  );
}

/**
 * Views that explain and draw, in a real browser at three sizes. `EVERYPATH_SCREENSHOTS=DIR` keeps a picture of each.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { branching } from "./models.js";
import { counter, eventually, press, runToTrace, usePages } from "./pages.js";
import { useExplorer } from "./started.js";

const SIZES = [
  [1440, 900],
  [800, 600],
  [390, 844],
] as const;

/** At each size the page must not scroll sideways; keeps a picture if asked. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env["EVERYPATH_SCREENSHOTS"];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(width);
    if (folder !== undefined)
      await page.screenshot({ path: join(folder, `${name}-${width}.png`), animations: "disabled" });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

const payment = inRepository("examples/models/retried-payment.pml");

/** Two errors, the second after more steps. */
const twoErrors = `byte x, y;
active proctype P() {
  if
  :: x = 1; assert(x != 1)
  :: y = 1; y = 2; assert(y != 2)
  :: y = 3; x = 5
  fi
}
`;

describeWithPeers("views of the explorer in Chromium", ["chromium"], () => {
  const bench = useExplorer("built");
  const pages = usePages();

  test("another counterexample has another error; when there is none, the page says so", async () => {
    const page = await pages.open(await bench.start(bench.write("two.pml", twoErrors)));
    await runToTrace(page);
    const status = (): Promise<string | null> => page.textContent(".another [role=status]");
    expect(await page.textContent(".ending")).toContain("x != 1");
    await press(page, "Another counterexample");
    await eventually(status).toBe("Another error, after 3 steps.");
    expect(await page.textContent(".ending")).toContain("y != 2");
    expect(await page.textContent(".another")).toContain("2 of 2");
    await look(page, "another");
    await press(page, "Another counterexample");
    await eventually(status).toMatch(/^There is no further one: all \d+ states were searched\.$/);
    await press(page, "counterexample before");
    await eventually(() => page.textContent(".ending")).toContain("x != 1");
  });

  test("the nearest execution that does not fail is beside the trace, with the first difference", async () => {
    const page = await pages.open(await bench.start(payment));
    await runToTrace(page);
    await press(page, "Passing run");
    await page.waitForSelector(".beside .is-first");
    expect(await page.locator(".beside .is-first").count()).toBe(1);
    expect(await page.textContent(".beside .differs")).toBe("first difference");
    const [fails, passes] = await page.locator(".beside .is-first td").allTextContents();
    expect(fails).not.toBe(passes);
    for (const row of await page.locator(".beside .is-common").all()) {
      const [a, b] = await row.locator("td").allTextContents();
      expect(a).toBe(b);
    }
    await look(page, "passing");
    await press(page, "Open it as a trace");
    await eventually(() => page.textContent(".ending")).not.toContain("violated");
    expect(await page.locator(".steps .is-fault").count()).toBe(0);
  });

  test("the order of messages: before, after, concurrent", async () => {
    const page = await pages.open(await bench.start(payment));
    await runToTrace(page);
    await press(page, "Order");
    await page.waitForSelector(".order .event");
    await page.keyboard.press("Home");
    for (let step = 0; step < 4; step++) await page.keyboard.press("j");
    await eventually(() => counter(page)).toContain("step 4 of");
    const said = (await page.textContent('section[aria-label="Order"] [role=status]'))!;
    const counts = [/(\d+) steps? before/, /(\d+) after/, /(\d+) concurrent/].map((part) =>
      Number(part.exec(said)![1]),
    );
    const length = Number(/of (\d+)/.exec((await counter(page))!)![1]);
    expect(counts.reduce((sum, n) => sum + n, 1)).toBe(length);
    expect(await page.locator(".order .is-here").count()).toBe(1);
    expect(await page.locator(".order .message").count()).toBeGreaterThan(0);
    await look(page, "order");
    await page.locator(".order .event").first().click();
    await eventually(() => counter(page)).toContain("step 1 of");
  });

  test("the automaton of each process, its location marked while the trace is played", async () => {
    const page = await pages.open(await bench.start(payment));
    await runToTrace(page);
    await press(page, "Automata");
    await page.waitForSelector(".automaton .node.is-selected");
    await page.getByLabel("Process", { exact: true }).selectOption("Client[1]");
    await page.waitForSelector(".automaton[data-state=drawn] .edge text");
    expect(await collisions(page)).toEqual([]);
    const standing = (): Promise<string | null> => page.textContent(".automaton .node.is-selected text");
    await look(page, "automata");
    await press(page, "first state");
    await eventually(standing).toContain("again");
    await page.getByLabel("Steps a second").selectOption("20");
    await press(page, "play");
    await eventually(() => counter(page)).toMatch(/^step (\d+) of \1$/);
    await eventually(() => page.getByRole("button", { name: "play", exact: true }).count()).toBe(1);
    expect(await standing()).not.toContain("again");
    expect(await page.locator(".automaton .node.is-selected").count()).toBe(1);
  });

  test("names in a graph lie over no state and no other name, and edges run through no state", async () => {
    const page = await pages.open(await bench.start(payment));
    await runToTrace(page);
    await page.click("nav >> text=Graph");
    await drawn(page);
    expect(await page.locator(".graph .edge text").count()).toBeGreaterThan(5);
    expect(await collisions(page)).toEqual([]);
    await look(page, "graph");
    await page.setViewportSize({ width: 1280, height: 720 });
    const chain = await pages.open(await bench.start(bench.write("chain.pml", branching)), "#/graph");
    await drawn(chain);
    expect(await collisions(chain)).toEqual([]);
  });

  test("panes are resized by the keyboard and by dragging, and a reload keeps their widths", async () => {
    const page = await pages.open(await bench.start(payment));
    await runToTrace(page);
    const width = async (): Promise<number> =>
      (await page.locator('section[aria-label="Steps"]').boundingBox())!.width;
    const before = await width();
    await page.getByRole("separator", { name: "Width of the steps" }).focus();
    await page.keyboard.press("ArrowLeft");
    expect(before - (await width())).toBeCloseTo(24, -1);
    expect(await counter(page)).toBe("step 10 of 10");
    const handle = (await page.getByRole("separator", { name: "Width of the steps" }).boundingBox())!;
    await page.mouse.move(handle.x + 4, handle.y + 100);
    await page.mouse.down();
    await page.mouse.move(handle.x + 104, handle.y + 100, { steps: 4 });
    await page.mouse.up();
    const after = await width();
    expect(after - before).toBeGreaterThan(50);
    await page.reload();
    await page.waitForSelector(".steps .is-current");
    expect(Math.abs((await width()) - after)).toBeLessThan(5);
  });

  test("axe finds nothing in any view, light and dark", async () => {
    const page = await pages.open(await bench.start(payment));
    await runToTrace(page);
    const trace = page.url();
    await page.evaluate(readFileSync(inRepository("node_modules/axe-core/axe.min.js"), "utf8"));
    const findings: unknown[] = [];
    const inspect = async (view: string): Promise<void> => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const found = (await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target }) => target.join(' '))]))",
        )) as unknown[];
        findings.push(...found.map((finding) => [view, colorScheme, finding]));
      }
      if (process.env["EVERYPATH_SCREENSHOTS"] !== undefined) await look(page, `dark-${view}`);
    };
    for (const tab of ["Source", "Sequence chart", "Table", "Passing run", "Order", "Automata"]) {
      await press(page, tab);
      await page.waitForSelector('[aria-pressed="true"]');
      await inspect(tab.replace(" ", "-"));
    }
    for (const view of ["Run", "Walk", "Graph", "Compare"]) {
      await page.click(`nav >> text=${view}`);
      if (view === "Graph") await drawn(page);
      await inspect(view);
    }
    await page.keyboard.press("?");
    await inspect("keys");
    expect(page.url()).not.toBe(trace);
    expect(findings).toEqual([]);
  });

  test("a graph of 5,000 states is drawn by clusters, and says by which values", async () => {
    const text = `byte a, b, c;
active proctype P() { do :: a < 16 -> a++ od }
active proctype Q() { do :: b < 16 -> b++ od }
active proctype R() { do :: c < 16 -> c++ od }
`;
    const page = await pages.open(await bench.start(bench.write("grid.pml", text)), "#/graph");
    await page.waitForSelector(".graph .node");
    await page.getByLabel("at most").selectOption("5000");
    await eventually(() => page.textContent(".ending")).toMatch(/clusters, .*: 5,000 states, merged by/);
    await drawn(page);
    expect(await page.locator(".graph .node").count()).toBeLessThanOrEqual(60);
    expect(await collisions(page)).toEqual([]);
    await page.getByLabel("Search the states").fill("a == 3 && b == 2");
    expect(await page.textContent(".tools [role=status]")).toMatch(/among the 5,000 drawn|^\d+ states/);
    expect(await page.locator(".graph .node.is-match").count()).toBeGreaterThan(0);
    await look(page, "clusters");
  });

  test("lanes of a chart stay in sight, names fit, and rules have no chart", async () => {
    const page = await pages.open(await bench.start(payment));
    await runToTrace(page);
    await press(page, "Sequence chart");
    await page.setViewportSize({ width: 1280, height: 420 });
    await page.locator(".chart").evaluate("(pane) => { pane.scrollTop = 200; }");
    const heads = await page.locator(".msc-heads").boundingBox();
    const pane = await page.locator(".chart").boundingBox();
    expect(Math.abs(heads!.y - pane!.y)).toBeLessThan(4);
    expect(
      await page.evaluate(`(() => {
        const frame = document.querySelector(".msc").getBoundingClientRect();
        return [...document.querySelectorAll(".msc text")].filter((text) => {
          const box = text.getBoundingClientRect();
          return box.left < frame.left - 1 || box.right > frame.right + 1;
        }).length;
      })()`),
    ).toBe(0);
    await look(page, "chart");
    const lock = inRepository("examples/models/lock-server.m");
    const rules = await pages.open(await bench.start(lock, "-D", "CAREFUL=false"));
    await runToTrace(rules);
    expect(await rules.getByRole("button", { name: "Sequence chart" }).count()).toBe(0);
  });
});

/** The careful drawing has arrived. */
async function drawn(page: Page): Promise<void> {
  await page.waitForSelector(".graph .node");
  await eventually(() => page.textContent(".ending")).not.toContain("improved");
}

/** Pairs of a name and a state or name that it touches; edges inside states; names outside the frame. */
const collisions = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const svg = document.querySelector(".graph");
    const [x, y, width, height] = svg.dataset.whole.split(" ").map(Number);
    const boxOf = (element) => element.getBBox();
    const names = [...svg.querySelectorAll(".edge text")].map((e) => [e.textContent, boxOf(e)]);
    const states = [...svg.querySelectorAll(".node rect")].map((e) => [e.parentNode.dataset.node, boxOf(e)]);
    const meet = (a, b, slack) =>
      a.x + slack < b.x + b.width && b.x + slack < a.x + a.width &&
      a.y + slack < b.y + b.height && b.y + slack < a.y + a.height;
    const found = [];
    for (const [i, [name, box]] of names.entries()) {
      for (const [state, other] of states) if (meet(box, other, 2)) found.push(name + " over state " + state);
      for (const [name2, other] of names.slice(i + 1)) if (meet(box, other, 2)) found.push(name + " over " + name2);
      if (box.x < x || box.y < y || box.x + box.width > x + width || box.y + box.height > y + height)
        found.push(name + " leaves the frame");
    }
    for (const text of svg.querySelectorAll(".node text")) {
      const [box, own] = [boxOf(text), boxOf(text.parentNode.querySelector("rect"))];
      if (box.x < own.x || box.x + box.width > own.x + own.width) found.push(text.textContent + " leaves its state");
    }
    for (const path of svg.querySelectorAll(".edge path")) {
      const length = path.getTotalLength();
      for (let at = 4; at < length - 4; at += 3) {
        const point = path.getPointAtLength(at);
        for (const [state, box] of states)
          if (point.x > box.x + 2 && point.x < box.x + box.width - 2 && point.y > box.y + 2 && point.y < box.y + box.height - 2)
            found.push("an edge runs through state " + state);
      }
    }
    return [...new Set(found)];
  })()`);

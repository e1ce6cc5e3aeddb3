/** The page with large input: a trace of 30,000 steps over 300 variables, graphs of 500 and 5,000 states. */
import type { Page } from "playwright-core";
import { tasksDuring, withPage, written, type Tasks } from "./explorer-page.js";

const STEPS = 30_000;
const SCALARS = 100;
const ELEMENTS = 200;

const targets = { longestTaskMs: 50, firstViewMs: 1000 };

type Judge = (what: string, measured: number, target: number, unit: string) => void;

/** Each step changes the counter, one of a hundred variables and one of two hundred elements. */
function longTrace(): string {
  const names = Array.from({ length: SCALARS }, (_, i) => `v${i}`);
  const branches = names.map(
    (name, i) =>
      `  :: n < ${STEPS} && n % ${SCALARS} == ${i} -> atomic { ${name} = n; w[n % ${ELEMENTS}] = n; n++ }`,
  );
  return `short n;
${names.map((name) => `short ${name};`).join("\n")}
short w[${ELEMENTS}];
active proctype P() {
  do
${branches.join("\n")}
  :: n == ${STEPS} -> assert(false)
  od
}
`;
}

/** `side * side * last` states: a grid. */
const cube = (side: number, last: number): string => `byte x, y, z;
active proctype X() { do :: d_step { x < ${side - 1} -> x++ } :: d_step { x > 0 -> x-- } od }
active proctype Y() { do :: d_step { y < ${side - 1} -> y++ } :: d_step { y > 0 -> y-- } od }
active proctype Z() { do :: d_step { z < ${last - 1} -> z++ } :: d_step { z > 0 -> z-- } od }
`;

export async function measureLarge(directory: string, judge: Judge): Promise<void> {
  await withPage(written(directory, "large.pml", longTrace()), async ({ page }) => measureTrace(page, judge));
  // 8 * 8 * 8 = 512 and 17 * 17 * 17 = 4,913 states.
  await withPage(written(directory, "graph-512.pml", cube(8, 8)), async ({ page }) =>
    measureFirstView(page, judge),
  );
  await withPage(written(directory, "graph-4913.pml", cube(17, 17)), async ({ page }) =>
    measureGraph(page, judge),
  );
}

async function measureTrace(page: Page, judge: Judge): Promise<void> {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: /Show the trace/ }).click({ timeout: 120_000 });
  await page.waitForSelector(".steps .is-current");
  await page.waitForTimeout(1500);
  const during = async (what: string, use: () => Promise<unknown>): Promise<void> =>
    judged(
      `${what}, ${STEPS.toLocaleString("en")} steps, ${SCALARS + ELEMENTS + 1} variables`,
      await tasksDuring(page, use),
      judge,
    );
  await during("scrolling through the steps", () => scrolled(page, ".steps"));
  await during("stepping by keys", () => pressed(page, "k", 150));
  await during("dragging the slider", () => slid(page));
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await page.waitForSelector(".grid-pane");
  await page.waitForTimeout(1000);
  await during("scrolling through the table", () => scrolled(page, ".grid-pane"));
  await during("stepping by keys beside the table", () => pressed(page, "k", 150));
  const chart = page.getByRole("button", { name: "Sequence chart", exact: true });
  if ((await chart.count()) > 0) {
    await chart.click();
    await page.waitForTimeout(1000);
    await during("stepping by keys beside the chart", () => pressed(page, "k", 400));
  }
}

function judged(what: string, { longestMs, busiestMs }: Tasks, judge: Judge): void {
  console.log(`${what}: longest task ${longestMs} ms, most processor time of a task ${busiestMs} ms`);
  judge(`longest task while ${what}`, longestMs, targets.longestTaskMs, " ms");
  judge(`most processor time of a task while ${what}`, busiestMs, targets.longestTaskMs, " ms");
}

/** Down and up again, a bit each frame. */
const scrolled = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`new Promise((done) => {
    const pane = document.querySelector(${JSON.stringify(selector)});
    let frames = 0;
    const step = () => {
      const way = frames < 100 ? frames : 200 - frames;
      pane.scrollTop = (way / 100) * (pane.scrollHeight - pane.clientHeight);
      if (++frames <= 200) requestAnimationFrame(step); else setTimeout(done, 300);
    };
    requestAnimationFrame(step);
  })`);

async function pressed(page: Page, key: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await page.keyboard.press(key);
  await page.waitForTimeout(300);
}

async function slid(page: Page): Promise<void> {
  const box = await page.locator("#slider").boundingBox();
  if (!box) throw new Error("the trace has no slider");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 4, y);
  await page.mouse.down();
  for (let i = 0; i < 80; i++)
    await page.mouse.move(box.x + 4 + ((box.width - 8) * Math.abs(40 - i)) / 40, y);
  await page.mouse.up();
  await page.waitForTimeout(300);
}

/** From the choice of the size to the first frame that shows states, with the server's search. */
const firstView = (page: Page, limit: number): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    const select = [...document.querySelectorAll("select")].find((s) => /states/.test(s.textContent));
    const began = performance.now();
    const value = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value");
    value.set.call(select, "${limit}");
    select.dispatchEvent(new Event("change", { bubbles: true }));
    const before = document.querySelector(".ending")?.textContent;
    const look = () => {
      const now = document.querySelector(".ending")?.textContent;
      if (now && now !== before && document.querySelector(".graph .node")) requestAnimationFrame(() => done(Math.round(performance.now() - began)));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);

async function openGraph(page: Page): Promise<void> {
  await page.click("nav >> text=Graph");
  await page.waitForSelector(".graph .node");
  await page.getByText("being improved").waitFor({ state: "hidden", timeout: 60_000 });
}

async function measureFirstView(page: Page, judge: Judge): Promise<void> {
  await openGraph(page);
  const clusters = await firstView(page, 2000);
  console.log(`first view of 512 states as clusters: ${clusters} ms: ${await page.textContent(".ending")}`);
  judge("first view of a graph of 512 states", clusters, targets.firstViewMs, " ms");
  await page.getByText("being improved").waitFor({ state: "hidden", timeout: 60_000 });
  await page
    .getByText(/merge by values/)
    .first()
    .click();
  const every = await timed(page, () => page.getByRole("button", { name: "Draw every state" }).click());
  console.log(`the same, every state drawn: ${every} ms: ${await page.textContent(".ending")}`);
  judge("first view of 512 states, each drawn", every, targets.firstViewMs, " ms");
}

/** To the frame that shows what an action changed. */
async function timed(page: Page, act: () => Promise<void>): Promise<number> {
  const before = await page.locator(".graph .node").count();
  const began = performance.now();
  await act();
  await page.waitForFunction(`document.querySelectorAll(".graph .node").length !== ${before}`, undefined, {
    polling: "raf",
  });
  return Math.round(performance.now() - began);
}

async function measureGraph(page: Page, judge: Judge): Promise<void> {
  await openGraph(page);
  const ms = await firstView(page, 5000);
  await page.getByText("being improved").waitFor({ state: "hidden", timeout: 60_000 });
  console.log(`first view of 4,913 states: ${ms} ms: ${await page.textContent(".ending")}`);
  await page.waitForTimeout(1000);
  judged("moving and zooming a graph of 4,913 states", await tasksDuring(page, () => moved(page)), judge);
  judged(
    "choosing states of a graph of 4,913 states",
    await tasksDuring(page, async () => {
      const nodes = page.locator(".graph .node");
      const count = await nodes.count();
      for (let i = 0; i < 20; i++) await nodes.nth(i % count).dispatchEvent("click");
      await page.waitForTimeout(300);
    }),
    judge,
  );
}

async function moved(page: Page): Promise<void> {
  await page.locator("svg.graph").focus();
  for (let i = 0; i < 40; i++) await page.keyboard.press(["ArrowRight", "ArrowDown", "+", "-"][i % 4] ?? "0");
  await page.mouse.move(400, 400);
  for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i < 20 ? -100 : 100);
  await page.waitForTimeout(300);
}

/**
 * Takes the pictures of the explorer in docs/images: `npm run build && npm run images`; `npm run images -- NAME` for one
 * example. Chromium encodes them as WebP, so that no other tool is needed.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { inRepository } from "../test/repository.js";
import { startExplorer } from "./explorer-server.js";

const folder = inRepository("docs/images");
mkdirSync(folder, { recursive: true });

interface Example {
  readonly name: string;
  readonly args: readonly string[];
  readonly colorScheme: "light" | "dark";
  /** Distance of the shown step from the end of the trace. */
  readonly back: number;
  /** The state space is finite without reductions. */
  readonly isFinite: boolean;
  /** Tab to show beside the steps, if not the default. */
  readonly tab?: string;
}

const wanted = process.argv.slice(2);

const examples: readonly Example[] = [
  {
    name: "payment",
    args: ["examples/models/retried-payment.pml"],
    colorScheme: "light",
    back: 1,
    isFinite: true,
    tab: "Sequence chart",
  },
  {
    name: "network",
    args: ["examples/networks/learning.sdn"],
    colorScheme: "light",
    back: 0,
    isFinite: false,
  },
  {
    name: "code",
    args: ["examples/code/systems/routing-skeleton.ts", "-D", "TIMEOUTS"],
    colorScheme: "dark",
    back: 2,
    isFinite: true,
    tab: "Sequence chart",
  },
  { name: "queueing", args: ["examples/models/queueing.pml"], colorScheme: "light", back: 1, isFinite: true },
];

const executablePath = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).stdout.trim();
const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
const encoder = await browser.newPage();
try {
  for (const example of examples)
    if (wanted.length === 0 || wanted.includes(example.name)) await takeAll(example);
} finally {
  await browser.close();
}

async function takeAll({ name, args, colorScheme, back, isFinite, tab }: Example): Promise<void> {
  const { child, url } = await startExplorer(args, inRepository());
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  const take = async (view: string): Promise<void> => {
    await page.waitForTimeout(700);
    await save(`explorer-${name}-${view}`, await page.screenshot());
  };
  const press = (text: string | RegExp): Promise<void> =>
    page.getByRole("button", { name: text }).first().click();
  try {
    await page.goto(url);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForSelector(".answers");
    await take("run");
    await press(/Show the trace/);
    await page.waitForSelector(".steps .is-current");
    for (let i = 0; i < back; i++) await page.keyboard.press("k");
    if (tab !== undefined) await press(tab);
    await take("trace");
    for (let i = 0; i < 3; i++) await page.keyboard.press("k");
    await press("Branch off here");
    await page.waitForSelector(".choice");
    await page.keyboard.press("ArrowDown");
    await take("walk");
    await page.click("nav >> text=Graph");
    await page.waitForSelector(".graph .node");
    await page.getByText("being improved").waitFor({ state: "hidden", timeout: 60_000 });
    await page.locator(".graph .node").nth(1).dispatchEvent("click");
    await take("graph");
    await page.click("nav >> text=Compare");
    for (const [index, side] of ["Left run", "Right run"].entries()) {
      const pane = page.locator(`section[aria-label="${side}"]`);
      if (isFinite) await pane.getByLabel("continue after the first error").check();
      await pane.getByRole("button", { name: "Run" }).click();
      // Each run is a line in both menus.
      await page
        .locator(".comparison select option")
        .nth(2 * index + 3)
        .waitFor({ state: "attached" });
      await page.locator(".top .chip", { hasText: "running" }).waitFor({ state: "hidden", timeout: 120_000 });
    }
    await take("compare");
  } finally {
    await page.close();
    child.kill("SIGINT");
  }
}

async function save(name: string, png: Buffer): Promise<void> {
  const data = await encoder.evaluate<number[]>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  })()`);
  writeFileSync(`${folder}/${name}.webp`, Buffer.from(data));
}

/**
 * Takes the pictures of the explorer in docs/images: `npm run build && npm run images`.
 * Chromium encodes them as WebP itself, so that no other tool is needed.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { inRepository } from "../test/repository.js";

const folder = inRepository("docs/images");
mkdirSync(folder, { recursive: true });

interface Example {
  readonly name: string;
  readonly file: string;
  readonly colorScheme: "light" | "dark";
}

const examples: readonly Example[] = [
  { name: "payment", file: "examples/models/retried-payment.pml", colorScheme: "light" },
  { name: "philosophers", file: "examples/models/philosophers.pml", colorScheme: "light" },
  { name: "queueing", file: "examples/models/queueing.pml", colorScheme: "dark" },
];

const executablePath = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).stdout.trim();
const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
const encoder = await browser.newPage();
try {
  for (const example of examples) await takeAll(example);
} finally {
  await browser.close();
}

async function takeAll({ name, file, colorScheme }: Example): Promise<void> {
  const { child, url } = await start(file);
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
    await page.keyboard.press("k");
    if (name === "payment") await press("Sequence chart");
    await take("trace");
    if (name === "payment") for (let i = 0; i < 5; i++) await page.keyboard.press("k");
    else await page.keyboard.press("Home");
    await press("Branch off here");
    await page.waitForSelector(".choice");
    await page.keyboard.press("ArrowDown");
    await take("walk");
    await page.click("nav >> text=Graph");
    await page.waitForSelector(".graph .node");
    await page.getByText("being improved").waitFor({ state: "hidden", timeout: 60_000 });
    await page.locator(".graph .node").nth(1).click({ force: true });
    await take("graph");
    await page.click("nav >> text=Compare");
    for (const side of ["Left run", "Right run"]) {
      await page.locator(`section[aria-label="${side}"]`).getByLabel("go on after").check();
      await page.locator(`section[aria-label="${side}"]`).getByRole("button", { name: "Run" }).click();
      await page.getByText("running", { exact: true }).first().waitFor({ state: "hidden" });
      await page.waitForTimeout(1500);
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

function start(file: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [inRepository("dist/cli/index.js"), "explore", file, "--no-open"], {
    cwd: inRepository(),
  });
  let printed = "";
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the explorer ended with ${code}`)));
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      printed += part;
      const url = /(http:\S+)\n/.exec(printed)?.[1];
      if (url) resolve({ child, url });
    });
  });
}

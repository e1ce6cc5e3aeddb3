/** The page in a real browser: it must work offline, by keyboard, at phone width, in light and dark, with hostile text. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { check } from "../../src/index.js";
import { renderChart } from "../../src/report/chart.js";
import { renderHtml } from "../../src/report/html.js";
import { Sources } from "../../src/model/index.js";
import type { CheckReport } from "../../src/report/index.js";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { launchBrowser } from "./browser.js";
import { failingTrace, holdsReport, violatedReport } from "./toy-report.js";

const hostile = `</script><script>window.wasHacked = true</script><img src=x onerror="window.wasHacked = true">`;

test("model text cannot become markup", () => {
  const html = renderHtml(hostileReport());
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain("<img");
});

test("nothing is fetched from elsewhere", () => {
  expect(renderHtml(violatedReport())).not.toMatch(/(src|href)=|url\(|@import/);
});

describeWithPeers("the HTML report in Chromium", ["chromium"], () => {
  let browser: Browser;
  const directory = mkdtempSync(join(tmpdir(), "everypath-html-"));

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function open(
    document: string,
    name: string,
    options: Parameters<Browser["newPage"]>[0] = {},
  ): Promise<Opened> {
    const file = join(directory, name);
    writeFileSync(file, document);
    const page = await browser.newPage(options);
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href) problems.push(`fetched ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    return { page, problems };
  }

  test("starts at the failing step: line, values and chart row are marked", async () => {
    const { page, problems } = await open(renderHtml(violatedReport()), "violated.html");
    expect(await page.textContent("h1")).toBe("violated: assertion violated: sum != 3, after 13 steps");
    expect(await page.textContent("#counter")).toBe("step 13 of 13");
    expect(await page.textContent(".source .is-current")).toContain("assert(sum != 3)");
    expect(await page.textContent("#values tr:first-child")).toBe("sum3");
    expect(await page.getAttribute(".chart .is-current", "data-step")).toBe("13");
    expect(problems).toEqual([]);
  });

  test("the keyboard walks through the steps", async () => {
    const { page } = await open(renderHtml(violatedReport()), "keys.html");
    const counter = (): Promise<string | null> => page.textContent("#counter");
    await page.keyboard.press("Home");
    expect(await counter()).toBe("initial state");
    expect(await page.locator(".source .is-current").count()).toBe(0);
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    expect(await counter()).toBe("step 2 of 13");
    expect(await page.textContent("#values tr.is-changed")).toBe("q[1]  was []");
    await page.keyboard.press("k");
    expect(await counter()).toBe("step 1 of 13");
    await page.keyboard.press("End");
    expect(await counter()).toBe("step 13 of 13");
    await page.keyboard.press("ArrowRight");
    expect(await counter()).toBe("step 13 of 13");
  });

  test("steps can be chosen in the list, in the chart and in the address", async () => {
    const { page } = await open(renderHtml(violatedReport()), "clicks.html");
    await page.click(".step >> nth=7");
    expect(await page.textContent("#counter")).toBe("step 7 of 13");
    await page.click('.chart [data-step="3"]', { position: { x: 5, y: 5 } });
    expect(await page.textContent("#counter")).toBe("step 3 of 13");
    expect(new URL(page.url()).hash).toBe("#step=3");
    await page.reload();
    expect(await page.textContent("#counter")).toBe("step 3 of 13");
  });

  test("at phone width nothing sticks out", async () => {
    for (const report of [violatedReport(), holdsReport()]) {
      const { page } = await open(renderHtml(report), "phone.html", {
        viewport: { width: 360, height: 740 },
      });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    }
  });

  test("what can be drawn is, at the step that is selected, on a phone, too", async () => {
    const text = readFileSync(inRepository("examples/nets/lock.spec"), "utf8");
    const report = await check({ file: "lock.spec", text });
    const { page, problems } = await open(renderHtml(report), "net.html", {
      viewport: { width: 360, height: 740 },
    });
    const critical = (): Promise<string | null> =>
      page.locator("#picture .net-place.is-marked title").textContent();
    expect(await critical()).toBe("critical: 2");
    await page.keyboard.press("Home");
    expect(await critical()).toBe("critical: 0");
    expect(await page.locator("#picture .is-fired").count()).toBe(0);
    await page.click("#next");
    expect(await page.locator("#picture .is-fired text").textContent()).toBe("t1");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expect(problems).toEqual([]);
  });

  test("light and dark differ, and text stands out from its page in both", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await open(renderHtml(violatedReport()), "scheme.html", { colorScheme });
      for (const selector of ["h1", ".step .effect", "td:last-child", "dt", ".msc-name", ".msc-label"])
        expect(await contrast(page, selector), `${selector} in ${colorScheme}`).toBeGreaterThan(4.5);
    }
  });

  test("hostile model text stays text", async () => {
    const { page, problems } = await open(renderHtml(hostileReport()), "hostile.html");
    await page.keyboard.press("Home");
    await page.keyboard.press("j");
    expect(await page.evaluate("window.wasHacked")).toBeUndefined();
    expect(await page.textContent(".step >> nth=1")).toContain("</script>");
    expect(problems).toEqual([]);
  });

  test("a page about a model that holds needs no script", async () => {
    const { page, problems } = await open(renderHtml(holdsReport()), "holds.html");
    expect(await page.textContent("h1")).toBe("holds: every execution was explored");
    expect(await page.locator("script").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("the chart stands alone as an SVG file", async () => {
    const { page, problems } = await open(renderChart(failingTrace()), "chart.svg");
    expect(await page.locator("svg .msc-row").count()).toBe(13);
    expect(await page.locator("svg .msc-tip").count()).toBe(2);
    const heads = await page.locator(".msc-name").allTextContents();
    expect(heads).toEqual(["Sender[0]", "Receiver[1]"]);
    expect(problems).toEqual([]);
  });
});

interface Opened {
  readonly page: Page;
  /** Errors and requests of the page. */
  readonly problems: string[];
}

/** Contrast ratio (WCAG 2) between an element's text and its background. */
function contrast(page: Page, selector: string): Promise<number> {
  return page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const isSvg = element instanceof SVGElement;
    const style = getComputedStyle(element);
    const text = numbers(isSvg ? style.fill : style.color);
    let behind = isSvg ? getComputedStyle(document.querySelector(".msc-page")).fill : "rgba(0, 0, 0, 0)";
    for (let e = element; !isSvg && /, 0\\)$/.test(behind); e = e.parentElement) behind = getComputedStyle(e).backgroundColor;
    const [light, dark] = [luminance(text), luminance(numbers(behind))].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  })()`) as Promise<number>;
}

/** Every field with text of the model contains markup. */
function hostileReport(): CheckReport {
  const report = violatedReport();
  const [first] = report.properties;
  const sources = new Sources();
  sources.add(hostile, `${hostile}\n${hostile}`);
  const span = { file: hostile, start: 0, end: 5 };
  const trace = first!.trace!;
  const steps = trace.steps.map((step) => ({
    ...step,
    participants: [hostile],
    action: hostile,
    output: hostile,
    sources: [span],
    changes: new Map([[hostile, hostile]]),
    messages: [
      {
        kind: "send" as const,
        channel: hostile,
        channelId: 1,
        message: hostile,
        from: hostile,
        to: undefined,
      },
    ],
  }));
  const values = [{ name: hostile, value: hostile }];
  return {
    ...report,
    file: hostile,
    sources,
    properties: [
      {
        ...first!,
        property: { ...first!.property, name: hostile },
        reason: hostile,
        advice: hostile,
        trace: { ...trace, steps, initial: values, final: { ...trace.final, values } },
      },
    ],
    unreached: [{ owner: hostile, text: hostile, span }],
    diagnostics: [{ code: hostile, severity: "warning", message: hostile, span, hint: hostile }],
    modelOptions: [hostile],
  };
}

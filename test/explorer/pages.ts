/** Authorised pages of explorers in one browser; their errors and requests to other hosts fail the test. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "../report/browser.js";
import type { Started } from "./started.js";

export interface Pages {
  /** Closed at the end of the test. */
  open(started: Started, hash?: string): Promise<Page>;
  /** Closed at the end of all tests. */
  keep(started: Started): Promise<Page>;
  /** A context without the page's permission. */
  context(options?: { readonly offline: boolean }): Promise<BrowserContext>;
}

export function usePages(): Pages {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  async function enter(started: Started): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 720 },
      acceptDownloads: true,
    });
    const page = await context.newPage();
    // Chromium itself logs refused requests and the end of the server.
    page.on("console", (message) => {
      if (!/Failed to load resource|ERR_CONNECTION/.test(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(started.origin) && !/^(data|blob):/.test(url)) complaints.push(`fetches ${url}`);
    });
    await page.goto(started.url);
    await page.waitForSelector("nav");
    return page;
  }
  return {
    keep: enter,
    async open(started, hash = "") {
      const page = await enter(started);
      contexts.push(page.context());
      if (hash !== "") await page.goto(`${started.origin}/${hash}`);
      return page;
    },
    async context(options = { offline: false }) {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
  };
}

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .getByRole("button", typeof name === "string" ? { name, exact: true } : { name })
    .first()
    .click();

export const counter = (page: Page): Promise<string | null> => page.textContent("#counter");

export async function runToTrace(page: Page): Promise<void> {
  await press(page, "Run");
  await press(page, /Show the trace/);
  await page.waitForSelector(".steps .is-current");
}

/** Long timeouts, since the machine may be busy. */
export const eventually = <T>(find: () => T): ReturnType<typeof expect.poll<T>> =>
  expect.poll(find, { timeout: 20_000 });

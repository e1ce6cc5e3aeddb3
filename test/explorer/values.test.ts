/** Values, watches and the table of steps in a real browser. */
import { expect, test } from "vitest";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { long, messages } from "./models.js";
import { counter, eventually, press, runToTrace, usePages } from "./pages.js";
import { useExplorer } from "./started.js";

describeWithPeers("values in Chromium", ["chromium"], () => {
  const bench = useExplorer("built");
  const pages = usePages();

  test("changes come first, the old value beside the new, the rest in a tree that folds", async () => {
    const page = await pages.open(
      await bench.start(inRepository("examples/models/lock-server.m"), "-D", "CAREFUL=false"),
    );
    await runToTrace(page);
    const changed = page.locator("[aria-label='Changed values'] tr");
    expect((await changed.allTextContents()).map((text) => text.replace("☆", ""))).toEqual([
      "state[client_0]criticalwas waiting",
      "net{0}.whatgonewas grant",
      "net{0}.whogonewas client_0",
    ]);
    const all = page.locator("[aria-label='All values'] tr");
    const open = await all.count();
    await page.locator("[aria-label='All values']").getByRole("button", { name: "▾ state" }).click();
    expect(await all.count()).toBe(open - 3);
    expect(await page.textContent("[aria-label='All values']")).toContain("3 values, 1 changed");
  });

  test("what holds is listed at every step", async () => {
    const page = await pages.open(
      await bench.start(bench.write("holds.pml", long(3)), "--invariant", "n < 2"),
    );
    await runToTrace(page);
    const holds = page.locator("[aria-label='What holds here'] li");
    expect(await holds.allTextContents()).toEqual(["✗ n < 2"]);
    await page.keyboard.press("Home");
    await eventually(() => holds.allTextContents()).toEqual(["✓ n < 2"]);
  });

  test("a watched expression is shown at every step, plotted, and kept over a reload", async () => {
    const page = await pages.open(await bench.start(bench.write("watch.pml", long(20))));
    await runToTrace(page);
    await page.getByLabel("Watch an expression").fill("n % 5 == m");
    await press(page, "Watch");
    expect(await page.textContent(".watches .refused")).toContain("no variable and no value is called 'm'");
    await page.getByLabel("Watch an expression").fill("n * 2 + 1");
    await press(page, "Watch");
    const watched = (): Promise<string[]> => page.locator(".watches td").allTextContents();
    expect((await watched()).slice(0, 2)).toEqual(["★n * 2 + 1", "41"]);
    expect(await page.locator(".watches svg").getAttribute("aria-label")).toBe(
      "n * 2 + 1 over the steps: 1 to 41",
    );
    await page.locator(".watches svg").click({ position: { x: 1, y: 5 } });
    expect(await counter(page)).toMatch(/^first state/);
    expect((await watched())[1]).toBe("1");
    await page.reload();
    await eventually(watched).toContain("1");
    await page.getByLabel("stop watching n * 2 + 1").click();
    expect(await page.locator(".watches td").count()).toBe(0);
  });

  test("the table has a row for each step and a column for each variable that changes", async () => {
    const page = await pages.open(await bench.start(bench.write("table.pml", messages)));
    await runToTrace(page);
    await press(page, "Table");
    const table = page.locator(".grid-pane");
    expect(await table.locator("thead th").allTextContents()).toEqual([
      "step",
      "wire",
      "Client[0]:got",
      "Server[1]:wanted",
    ]);
    expect(await table.locator("tbody tr").count()).toBe(
      Number(/of (\d+)/.exec((await counter(page))!)![1]) + 1,
    );
    await table.locator("[data-position='1']").click();
    expect(await counter(page)).toMatch(/^step 1 of/);
    expect(await table.locator(".is-current td.is-changed").allTextContents()).toEqual(["[ask(3)]"]);
    await page.getByLabel("Filter the columns").fill("got");
    expect(await table.locator("thead th").count()).toBe(2);
  });

  test("the table of a long trace keeps few rows in the page", async () => {
    const page = await pages.open(await bench.start(bench.write("tall.pml", long(3000))));
    await runToTrace(page);
    await press(page, "Table");
    const table = page.locator(".grid-pane");
    expect(await table.locator("tbody tr").count()).toBeLessThan(200);
    await eventually(() => table.locator(".is-current th").textContent()).toBe("6002");
    await page.keyboard.press("Home");
    await eventually(() => table.locator(".is-current td").first().textContent()).toBe("0");
  });
});

/** Systems in TypeScript that draw themselves, in a real browser: what they draw is not trusted. */
import { expect, test } from "vitest";
import { safePicture } from "../../src/explorer/picture.js";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { eventually, press, usePages } from "./pages.js";
import { useExplorer } from "./started.js";

const system = (picture: string): string => `import { defineSystem } from "everypath/system";
class Node { n = 0; onStart() { this.environment.setTimer("t"); } constructor(readonly environment: any) {} onTimer() { this.n++; } }
export default defineSystem<Node>({
  nodes: { a: (environment) => new Node(environment) },
  picture: ${picture},
});
`;

describeWithPeers("pictures by the user's code", ["chromium"], () => {
  const bench = useExplorer("built");
  const pages = usePages();

  test("follow the walk, and are drawn as scenes and as SVG", { timeout: 120_000 }, async () => {
    const page = await pages.open(
      await bench.start(inRepository("examples/code/systems/token-ring.ts")),
      "#/walk",
    );
    const good = page.locator(".picture .scene-good");
    await eventually(() => good.textContent()).toBe("a0");
    await page.locator(".choice").first().click();
    await eventually(() => page.locator(".picture .scene-accent").textContent()).toBe("token");
    expect(await good.count()).toBe(0);
    await page.locator(".choice").first().click();
    await eventually(() => good.textContent()).toBe("b0");
    const svg = bench.write(
      "svg.ts",
      system("({ nodes }) => `<svg viewBox='0 0 99 20'><text y='15'>n is ${nodes['a']!.n}</text></svg>`"),
    );
    const drawn = await pages.open(await bench.start(svg), "#/walk");
    await eventually(() => drawn.locator(".picture svg").textContent()).toBe("n is 0");
    await drawn.locator(".choice").first().click();
    await eventually(() => drawn.locator(".picture svg").textContent()).toBe("n is 1");
  });

  test.each([
    [
      "scripts",
      "() => '<svg><script>document.title = \"taken\"</script></svg>'",
      "<script> is not allowed in a picture",
    ],
    ["no end", "() => { for (;;); }", "it does not terminate within 1 s"],
    [
      "changes",
      "({ nodes }) => { nodes['a']!.n = 7; return { shapes: [] }; }",
      "'picture' changes the nodes that it reads",
    ],
    ["nothing", "() => undefined as never", "it does not return JSON data"],
  ])(
    "with %s are refused with a reason, and the walk goes on",
    { timeout: 120_000 },
    async (name, picture, reason) => {
      const file = bench.write(`${name.replace(" ", "-")}.ts`, system(picture));
      const page = await pages.open(await bench.start(file), "#/walk");
      await eventually(() => page.locator(".notice.bad").textContent()).toContain(reason);
      await press(page, /timer t/).catch(() => page.locator(".choice").first().click());
      await eventually(() => page.locator(".values").first().textContent()).toContain("a.n");
      expect(await page.title()).not.toBe("taken");
    },
  );
});

test("whatever the process of the code sends is sanitised, also what claims to be ours", () => {
  const evil = "<svg><script/></svg>";
  expect(safePicture({ svg: evil }, true, "t")).toEqual({
    status: 422,
    error: "<script> is not allowed in a picture",
  });
  expect(safePicture({ untrusted: evil }, false, "t")).toMatchObject({ status: 422 });
  expect(safePicture({ untrusted: 7 } as never, true, "t")).toMatchObject({ status: 422 });
  expect(safePicture({ svg: "<svg><style/></svg>" }, false, "t")).toEqual({ svg: "<svg><style/></svg>" });
});

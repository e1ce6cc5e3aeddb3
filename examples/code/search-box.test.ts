// A search box shows a stale response if it arrives last; the usual repair aborts the earlier request.
// expected "shows the last answer": violated (assertion), 4 turns
// expected "aborts stale requests": holds
import { expect } from "vitest";
import { everySchedule } from "everypath/vitest";

everySchedule("shows the last answer", async (world) => {
  world.fetch((url) => ({ results: url.split("=")[1] }), { effect: "call" });
  let shown = "";
  const search = async (text: string) => {
    const response = await fetch(`https://shop.example/search?q=${text}`);
    shown = (await response.json()).results;
  };
  await Promise.all([search("te"), search("tea")]);
  expect(shown).toBe("tea");
});

everySchedule("aborts stale requests", async (world) => {
  world.fetch((url) => ({ results: url.split("=")[1] }), { effect: "call" });
  let shown = "";
  let last: AbortController | undefined;
  const search = async (text: string) => {
    last?.abort();
    const mine = (last = new AbortController());
    const response = await fetch(`https://shop.example/search?q=${text}`, { signal: mine.signal });
    shown = (await response.json()).results;
  };
  await Promise.allSettled([search("te"), search("tea")]);
  expect(shown).toBe("tea");
});

import { Buffer } from "node:buffer";
import split from "split2";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("lines are the same however the text is cut", async (world) => {
  const text = "ab\ncdé\n\nx";
  const bytes = Buffer.from(text);
  const at = world.choose(bytes.length + 1);
  const stream = split();
  const found = [];
  stream.on("data", (line) => found.push(line));
  const end = new Promise((resolve) => stream.on("end", resolve));
  stream.write(bytes.subarray(0, at));
  await world.pause("rest");
  stream.end(bytes.subarray(at));
  await end;
  check(found.join("|") === "ab|cdé|x" || found.join("|") === "ab|cdé||x", found.join("|"));
});

import { PassThrough } from "node:stream";
import duplexify from "duplexify";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("what is written before the streams are set arrives, in order", async (world) => {
  const stream = duplexify();
  const found = [];
  stream.write("a");
  const end = new Promise((resolve) => stream.on("end", resolve));
  stream.on("data", (chunk) => found.push(String(chunk)));
  const joined = new PassThrough();
  await Promise.all([
    world.pause("writable").then(() => stream.setWritable(joined)),
    world.pause("readable").then(() => stream.setReadable(joined)),
    world.pause("more").then(() => stream.end("b")),
  ]);
  await end;
  check(found.join("") === "ab", found.join());
});

import { Buffer } from "node:buffer";
import concat from "concat-stream";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("the whole comes at the end, in order", async (world) => {
  let whole;
  const end = new Promise((resolve) => {
    const stream = concat((data) => resolve((whole = String(data))));
    void (async () => {
      for (const part of ["a", "b", "c"]) {
        await world.pause(part);
        stream.write(Buffer.from(part));
      }
      check(whole === undefined, "it came before the end");
      stream.end();
    })();
  });
  await end;
  check(whole === "abc", whole);
});

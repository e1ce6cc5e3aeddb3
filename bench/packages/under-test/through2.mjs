import * as all from "through2";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

const through2 = all.through2 ?? all.default;

everySchedule("chunks keep their order through a slow transform", async (world) => {
  const slow = through2.obj(function (chunk, _encoding, done) {
    void world.pause(`chunk ${chunk}`).then(() => done(null, chunk));
  });
  const found = [];
  slow.on("data", (chunk) => found.push(chunk));
  const end = new Promise((resolve) => slow.on("end", resolve));
  for (const chunk of ["a", "b", "c"]) slow.write(chunk);
  slow.end();
  await end;
  check(found.join() === "a,b,c", found.join());
});

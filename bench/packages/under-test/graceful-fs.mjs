import fs from "graceful-fs";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("every file is read although the process runs out of descriptors once", async (world) => {
  for (const name of ["a", "b"]) world.files.write(`/${name}`, name);
  world.files.mayFail(1, "EMFILE");
  const read = (name) =>
    new Promise((resolve, reject) =>
      fs.readFile(`/${name}`, "utf8", (error, text) => (error ? reject(error) : resolve(text))),
    );
  const found = await Promise.all(["a", "b"].map(read));
  check(found.join() === "a,b", found.join());
});

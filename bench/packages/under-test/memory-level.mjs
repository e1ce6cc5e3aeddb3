import { MemoryLevel } from "memory-level";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("a batch is seen as a whole or not at all", async (world) => {
  const db = new MemoryLevel();
  await db.open();
  const read = async () => {
    await world.pause("read");
    return (await db.values().all()).join();
  };
  const writing = db.batch([
    { type: "put", key: "a", value: "1" },
    { type: "put", key: "b", value: "2" },
  ]);
  const seen = await read();
  await writing;
  check(seen === "" || seen === "1,2", seen);
});

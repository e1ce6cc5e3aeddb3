/** `everySchedule` and `replay` inside the realm, which register the test bodies. */
import type { Mode } from "./named.js";
import { register, runInFile, type Body } from "./registry.js";
import { rowsOf } from "./rows.js";

type RowBody = (world: Parameters<Body>[0], ...row: unknown[]) => unknown;

/** `run` serves the interface without a framework. */
const declaring =
  (mode: Mode) =>
  (name: string, body: Body, options?: object): { name: string; run(): Promise<object> } => {
    register(name, body, mode, options);
    return { name, run: () => runInFile(name) };
  };

/** The host selects tests by name, or lists them. */
export const everySchedule = Object.assign(declaring("run"), {
  only: declaring("only"),
  skip: declaring("skip"),
  each:
    (...table: unknown[]) =>
    (name: string, body: RowBody, options?: object): void => {
      for (const row of rowsOf(name, table))
        register(row.name, (world) => body(world, ...row.args), "run", options);
    },
});

export const replay = (schedule: string): object => ({ only: schedule });

export { History, NotLinearizable, linearize } from "../../model/linearizability.js";
export { lockModel, logModel, queueModel, registerModel, setModel } from "../../model/sequential-models.js";

/** `everySchedule` and `replay` inside the realm: the body that counts is the one registered here. */
import { register, runInFile, type Body } from "./registry.js";
import { rowsOf } from "./rows.js";

type RowBody = (world: Parameters<Body>[0], ...row: unknown[]) => unknown;

/** `run` is of the door for no framework. */
const declare = (name: string, body: Body): { name: string; run(): Promise<object> } => {
  register(name, body);
  return { name, run: () => runInFile(name) };
};

/** Which tests are run is the framework's matter: it asks for them by name. */
export const everySchedule = Object.assign(declare, {
  only: declare,
  skip: declare,
  each:
    (...table: unknown[]) =>
    (name: string, body: RowBody): void => {
      for (const row of rowsOf(name, table)) register(row.name, (world) => body(world, ...row.args));
    },
});

/** Options are the host's matter. */
export const replay = (): object => ({});

export { History, NotLinearizable, linearize } from "../../model/linearizability.js";

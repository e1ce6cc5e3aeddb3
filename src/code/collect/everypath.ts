/** `everySchedule` and `replay` inside the realm: the body that counts is the one registered here. */
import { register, type Body } from "./registry.js";
import { rowsOf } from "./rows.js";

type RowBody = (world: Parameters<Body>[0], ...row: unknown[]) => unknown;

const declare = (name: string, body: Body): void => register(name, body);

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

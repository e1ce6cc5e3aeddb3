/** Which channels an expression can name, and for how long they are there. */
import { expect, test } from "vitest";
import type { Expr } from "../../../src/model/index.js";
import { edgesOf } from "../../../src/model/program-walk.js";
import { ChannelFlow } from "../../../src/transforms/reduction/channels.js";
import { load } from "./reducing.js";

const { program } = load(`
  chan global = [1] of { byte };
  chan kept;
  active [2] proctype creator() { chan own = [1] of { byte }; kept = own; own!1; global!1 }
  active proctype other() { chan mine = [1] of { byte }; kept!1; mine!1 }`);

/** The channels that a template sends to, in order. */
const sentTo = (template: number): Expr[] =>
  [...edgesOf(program.templates[template]!)].flatMap(({ communication }) =>
    communication?.kind === "send" ? [communication.channel] : [],
  );

test("a channel lives as long as all who can name it, or may be any that a process created", () => {
  const [own, global] = sentTo(0) as [Expr, Expr];
  const [kept, mine] = sentTo(1) as [Expr, Expr];
  const several = new ChannelFlow(program, [false, true]);
  const single = new ChannelFlow(program, [true, true]);
  expect([single.isAlive(own, 0), several.isAlive(own, 0)]).toEqual([true, false]);
  expect([single.isAlive(global, 0), several.isAlive(global, 0)]).toEqual([true, true]);
  expect([single.isAlive(kept, 1), several.isAlive(kept, 1)]).toEqual([false, false]);
  expect([single.isAlive(mine, 1), several.isAlive(mine, 1)]).toEqual([true, true]);
  expect([single.of(own, 0), several.of(own, 0)]).toEqual([new Set([1]), new Set([1, 2])]);
  expect(single.of(kept, 1)).toEqual(new Set([1, 2]));
  expect(several.of(global, 0)).toEqual(new Set([0]));
  // A number that was computed.
  expect(several.of({ kind: "constant", value: 3 } as Expr, 0)).toBe("any");
});

/** Registry entries of the engines of task programs. */
import type { Engine } from "../contracts.js";
import { programPaths } from "../engine-declarations.js";
import type { BackEnd } from "./bbs.js";

export const taskEngine = (name: string, summary: string, backEnd: BackEnd): Engine => ({
  name,
  summary,
  accepts: programPaths,
  takes: ({ subject }) => subject?.kind === "tasks",
  whyNot: ({ subject }) =>
    subject?.kind === "program"
      ? "the program has no tasks: include <bbs.h>, or choose a dialect with --tasks"
      : undefined,
  check: async (loaded, request) => (await import("./bbs.js")).check(loaded, request, backEnd),
});

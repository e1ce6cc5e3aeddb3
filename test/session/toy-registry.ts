/** A registry with the hand-written toy as a language and the real engine: a session without a front end. */
import { registry, type Registry } from "../../src/session/index.js";
import { promela } from "../../src/session/declarations.js";
import { toyModel, toyText } from "../report/toy.js";

export const toyInput = { file: "toy.pml", text: toyText };

export interface ToyOptions {
  readonly canFail?: boolean;
  readonly unsupported?: boolean;
}

export const toyRegistry = ({ canFail = true, unsupported = false }: ToyOptions = {}): Registry => ({
  engines: registry.engines,
  languages: [
    {
      name: "toy",
      summary: "a model written by hand",
      extensions: [".pml"],
      accepts: promela,
      load: async (input) => ({
        model: toyModel({ canFail }),
        unsupported: unsupported
          ? [{ kind: "ltl", name: "live", span: { file: input.file, start: 0, end: 4 } }]
          : [],
        diagnostics: [],
      }),
    },
  ],
});

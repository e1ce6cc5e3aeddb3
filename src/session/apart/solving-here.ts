/** Engines that ask a solver, in the process that is kept for them. */
import type { Worker } from "../../sandbox/index.js";
import { known } from "../../model/known.js";
import { engineRequest } from "../check/engine-request.js";
import { chooseProperties } from "../check/choosing.js";
import { load } from "../load.js";
import { registry } from "../registry.js";
import type { SolveJob, SolveNews } from "./solving.js";

export const solveHere: Worker<SolveJob> = {
  work: async ({ file, text, files, options, engine: name, properties }, parent) => {
    // Engines let timers have their turn between queries.
    setInterval(() => parent.beAlive(), ALIVE_MS);
    const input = { file, text, readFile: (path: string) => files.get(path) };
    const loaded = await load(input, { ...options, isSearched: true }, registry);
    const chosen = known(chooseProperties(loaded, input, options), "the properties");
    const asked = chosen.properties.filter((property) => properties.includes(property.name));
    const control = {
      onProgress: (progress: SolveNews["progress"]) => parent.send({ progress } satisfies SolveNews),
      isStopped: () => parent.isStopped(),
    };
    const engine = known(
      registry.engines.find((each) => each.name === name),
      "the engine",
    );
    return engine.check(
      loaded,
      engineRequest(input, asked, { ...options, control }, undefined, loaded.sources),
    );
  },
};

const ALIVE_MS = 1000;

/** A thread of a parallel search. */
import { parentPort } from "node:worker_threads";
import { serveSearch } from "../../src/engines/explicit/index.js";
import { makeModel } from "../../src/session/make-model.js";

serveSearch(parentPort!, makeModel);

/** A thread of a parallel search. */
import { parentPort } from "node:worker_threads";
import { serveSearch } from "../../src/engines/explicit/index.js";
import { makeModel } from "../../src/session/engines/make-model.js";

serveSearch(parentPort!, makeModel);

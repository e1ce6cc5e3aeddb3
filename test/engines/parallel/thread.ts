/** A thread of a parallel search over the models of these tests. */
import { parentPort } from "node:worker_threads";
import { serveSearch } from "../../../src/engines/explicit/index.js";
import { make } from "./made-models.js";

serveSearch(parentPort!, make);

/** Programs with files. */
import * as fs from "node:fs";
import { everySchedule } from "../../../../src/testing/code.js";
import { bodyWith } from "./body.js";

everySchedule("program", bodyWith({ fs }));

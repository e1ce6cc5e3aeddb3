/** Programs with services, timers and `fetch`. */
import { everySchedule } from "../../../../src/testing/code.js";
import { bodyWith } from "./body.js";

everySchedule("program", bodyWith({}));

/** Programs with a connection. */
import * as net from "node:net";
import { everySchedule } from "../../../../src/testing/code.js";
import { bodyWith } from "./body.js";

everySchedule("program", bodyWith({ net }));

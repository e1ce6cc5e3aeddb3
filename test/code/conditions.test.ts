/** Programs over timers, ticks, events, processes and `fetch`, and one whose async functions are lowered. */
import { describeStated } from "./stated.js";

describeStated("conditions.ts");
describeStated("conditions-lowered.ts");

/** Programs over files: overlapping operations, failures, crashes. */
import { describeStated } from "./stated.js";

describeStated("conditions-files.ts");

/** Programs over files: operations that overlap, failures, crashes. */
import { describeStated } from "./stated.js";

describeStated("conditions-files.ts");

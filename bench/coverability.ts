/**
 * Coverability: the published reference instances, expected and obtained, and the reach of each procedure on families of nets.
 *
 *     npm run bench:coverability                      the reference instances, then the families
 *     npm run bench:coverability -- --reference       the reference instances alone
 *     npm run bench:coverability -- --families kanban,mesh --seconds 10 --svg growth.svg
 *     npm run bench:coverability -- --mist FOLDER     your own .spec files, with the published answers if known
 *
 * Compares with a native `mist` if the PATH has one. Exits with 1 if a reference instance gets another answer.
 */
import { parseArgs } from "node:util";
import { checkMistFolder } from "./coverability/mist-files.js";
import { measureFamilies } from "./coverability/growth.js";
import { checkReference } from "./coverability/reference-run.js";

const { values } = parseArgs({
  options: {
    reference: { type: "boolean", default: false },
    families: { type: "string" },
    seconds: { type: "string", default: "10" },
    svg: { type: "string" },
    mist: { type: "string" },
  },
});

let isGood = true;
if (values.mist !== undefined) isGood = checkMistFolder(values.mist, Number(values.seconds));
else {
  if (values.families === undefined) isGood = checkReference();
  if (!values.reference)
    await measureFamilies(values.families?.split(","), Number(values.seconds), values.svg);
}
process.exitCode = isGood ? 0 : 1;

/**
 * The acceptance checks EC-1 to EC-13 of the emptiness checks and the tables of Couvreur, Duret-Lutz and Poitrenaud 2005:
 * `npm run bench:emptiness -- [--full] [--only agreement,client-server,election,formulas,random]`.
 *
 * Expected beside obtained; the exit code is 1 if something that must be equal differs. Without `--full` fewer random
 * graphs are tried, and of tables 1 and 4 only a small sample of the sparse half.
 */
import { parseArgs } from "node:util";
import { checkAgreement } from "./emptiness/agreement.js";
import { checkClientServer } from "./emptiness/client-server.js";
import { checkElection } from "./emptiness/election.js";
import { checkFormulas, checkRandomSystems } from "./emptiness/random-tables.js";
import { Report } from "./emptiness/report.js";

const { values } = parseArgs({
  options: { full: { type: "boolean", default: false }, only: { type: "string" } },
});
const report = new Report();
const sections = {
  agreement: () => checkAgreement(report, values.full ? 50_000 : 10_000),
  "client-server": () => checkClientServer(report),
  election: () => checkElection(report),
  formulas: () => checkFormulas(report),
  random: () => checkRandomSystems(report, values.full),
};
for (const [name, section] of Object.entries(sections))
  if (!values.only || values.only.split(",").includes(name)) section();
console.log(report.failures === 0 ? "\nAll as expected." : `\n${report.failures} not as expected.`);
process.exitCode = report.failures === 0 ? 0 : 1;

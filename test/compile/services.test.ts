/** Services of compose files: who starts when, and which calls are wrong. */
import { expect, test } from "vitest";
import { loadCompose } from "../../src/languages/compose/index.js";
import { checkInput, registry } from "../../src/session/index.js";

async function verdicts(
  services: string,
  options: { readonly defines?: readonly string[] } = {},
): Promise<string[]> {
  const text = `services:\n${services}`;
  const { report } = await checkInput(
    { file: "compose.yaml", text },
    { maxErrors: Infinity, ...options },
    registry,
  );
  expect(report.diagnostics).toEqual([]);
  return report.properties.flatMap(({ property, verdict }) =>
    verdict === "violated" ? [property.name] : [],
  );
}

const EARLY = "no call before ready";
const DOWN = "no call to a service that is down";
const health = "healthcheck: { test: pg_isready }";
const api = (condition: string, more = ""): string =>
  `  api: { depends_on: { db: { condition: ${condition} } } ${more} }\n`;

test.each([
  [
    "a server without health check is ready some time after its start",
    `  db: {}\n${api("service_started")}`,
    [EARLY],
  ],
  ["a server is called when it is healthy", `  db: { ${health} }\n${api("service_healthy")}`, []],
  ["a server is called before it is healthy", `  db: { ${health} }\n${api("service_started")}`, [EARLY]],
  ["a job that completes", `  db: { restart: "no" }\n${api("service_completed_successfully")}`, []],
  [
    "a job that is restarted for ever runs again",
    `  db: { restart: always }\n${api("service_completed_successfully")}`,
    [EARLY],
  ],
  ["a job that fails for good", `  db: { restart: "no" }\n${api("service_started")}`, [EARLY, DOWN]],
  ["a job that is tried again", `  db: { restart: on-failure }\n${api("service_started")}`, [EARLY]],
  [
    "a host in an environment is called",
    `  db: {}\n  api: { environment: { URL: "postgres://u@db:5432/x" } }\n`,
    [EARLY],
  ],
  [
    "a caller that tries again",
    `  db: {}\n  api: { depends_on: [db], x-everypath: { retries: [db] } }\n`,
    [],
  ],
  [
    "a server that is ready at once",
    `  db: { x-everypath: { ready: started } }\n${api("service_started")}`,
    [],
  ],
])("%s", async (_, services, violated) => {
  expect(await verdicts(services)).toEqual(violated);
});

test("a replaced service is called while it is down, unless its callers restart with it", async () => {
  const db = `  db: { ${health}, restart: always }\n`;
  const replaced = { defines: ["replace=db"] };
  expect(await verdicts(db + api("service_healthy"), replaced)).toEqual([EARLY, DOWN]);
  const restarting = `  api: { depends_on: { db: { condition: service_healthy, restart: true } } }\n`;
  expect(await verdicts(db + restarting, replaced)).toEqual([]);
});

test("a crash", async () => {
  const db = `  db: { ${health}, restart: always }\n`;
  expect(await verdicts(db + api("service_healthy"))).toEqual([]);
  expect(await verdicts(db + api("service_healthy"), { defines: ["crashes=1"] })).toEqual([EARLY, DOWN]);
});

const codes = (text: string): string[] =>
  loadCompose("compose.yaml", text).diagnostics.map(
    ({ code, span }) => `${code} ${text.slice(span.start, span.end)}`,
  );

test.each([
  ["services:\n  a: { depend_on: [b] }\n  b: {}\n", ["compose/unknown-key depend_on"]],
  ["services:\n  a: { depends_on: [c] }\n", ["compose/unknown-service c"]],
  ["services:\n  a: { depends_on: { b: { condition: healthy } } }\n  b: {}\n", ["compose/condition healthy"]],
  [
    "services:\n  a: { depends_on: { b: { conditon: service_healthy } } }\n  b: {}\n",
    ["compose/unknown-key conditon"],
  ],
  ["services:\n  a: { depends_on: { b: { required: false } } }\n  b: {}\n", ["compose/unsupported b"]],
  [
    "services:\n  a: { depends_on: { b: { condition: service_healthy } } }\n  b: {}\n",
    ["compose/no-healthcheck b"],
  ],
  ["services:\n  a: { depends_on: [b] }\n  b: { depends_on: [a] }\n", ["compose/cycle a", "compose/cycle b"]],
  ["services:\n  a: { extends: b }\n  b: {}\n", ["compose/unsupported extends"]],
  ["services:\n  a: { deploy: { replicas: 2 } }\n", ["compose/unsupported 2"]],
  ["services:\n  a: { restart: sometimes }\n", ["compose/restart sometimes"]],
  ["services:\n  a: { profiles: [debug] }\n  b: {}\n", ["compose/profiles a"]],
  ["include: [other.yaml]\nservices:\n  a: {}\n", ["compose/unsupported include"]],
  ["services:\n", ["compose/no-service services:"]],
  ["services: [\n", ["compose/syntax "]],
])("%j", (text, expected) => {
  expect(codes(text).map((code) => (code.startsWith("compose/syntax") ? "compose/syntax " : code))).toEqual(
    expected,
  );
});

test("anchors and merge keys are resolved", async () => {
  const text = `  x: &base { ${health} }\n  db: { <<: *base }\n${api("service_healthy")}`;
  expect(await verdicts(text)).toEqual([]);
});

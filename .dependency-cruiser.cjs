/**
 * The dependency rule of the architecture: `model` and `step` import nothing of ours; languages, compilers, engines,
 * transforms and reports know only `model` (and themselves), compilers and engines also `step`; `sandbox` knows `model` and `code`;
 * `session` knows all of these, and its rooms form layers; `cli`, `explorer` and `testing` are composition roots.
 */
const layers = [
  "languages",
  "programs",
  "code",
  "compile",
  "transforms",
  "engines",
  "solvers",
  "devices",
  "report",
];

const sideways = layers.map((layer) => ({
  name: `${layer}-only-model`,
  comment: `${layer} may import model and itself, nothing else of ours`,
  severity: "error",
  from: { path: `^src/${layer}/` },
  to: { path: "^src/", pathNot: `^src/(model|step|${layer})/` },
}));

module.exports = {
  forbidden: [
    {
      name: "model-imports-nothing",
      severity: "error",
      from: { path: "^src/model/" },
      to: { pathNot: "^src/model/" },
    },
    {
      name: "step-imports-nothing",
      severity: "error",
      from: { path: "^src/step/" },
      to: { pathNot: "^src/step/" },
    },
    {
      name: "step-for-compilers-and-engines",
      comment: "step code is written by generators and by search cores, nobody else",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(step|compile|engines)/" },
      to: { path: "^src/step/" },
    },
    ...sideways,
    {
      name: "languages-apart",
      comment: "one language never imports another; what they share is in languages/toolkit",
      severity: "error",
      from: { path: "^src/languages/([^/]+)/" },
      to: { path: "^src/languages/", pathNot: "^src/languages/($1|toolkit)/" },
    },
    {
      name: "engines-apart",
      severity: "error",
      from: { path: "^src/engines/([^/]+)/" },
      to: { path: "^src/engines/", pathNot: "^src/engines/$1/" },
    },
    {
      name: "sandbox-only-code",
      comment: "the process in which code runs depends on no kind of job: src/child.ts knows them all",
      severity: "error",
      from: { path: "^src/sandbox/" },
      to: { path: "^src/", pathNot: "^src/(model|code|sandbox)/" },
    },
    {
      name: "session-below-roots",
      severity: "error",
      from: { path: "^src/session/" },
      to: { path: "^src/(cli|explorer|testing)/" },
    },
    {
      name: "session-languages-and-engines-apart",
      comment: "only registry.ts imports both: languages and engines meet in contracts.ts",
      severity: "error",
      from: { path: "^src/session/(languages|reductions)/" },
      to: { path: "^src/session/(engines|nodes|schedules|pipeline|check|replay|apart)/" },
    },
    {
      name: "session-engines-below-checks",
      severity: "error",
      from: { path: "^src/session/(engines|nodes|pipeline)/" },
      to: {
        path: "^src/session/(languages|reductions|schedules|check|apart|export)/|^src/session/(registry|load)\\.ts$",
      },
    },
    {
      name: "session-pipeline-below-engines",
      severity: "error",
      from: { path: "^src/session/pipeline/" },
      to: { path: "^src/session/(engines|nodes)/" },
    },
    {
      name: "session-without-cycles",
      comment: "type imports included",
      severity: "error",
      from: { path: "^src/session/" },
      to: { circular: true },
    },
    {
      name: "explorer-apart",
      severity: "error",
      from: { path: "^src/explorer/" },
      to: { path: "^src/cli/" },
    },
    {
      name: "lsp-apart",
      severity: "error",
      from: { path: "^src/lsp/" },
      to: { path: "^src/(cli|explorer)/" },
    },
    {
      name: "testing-apart",
      comment:
        "doors for test frameworks: neither the command line nor the explorer, and nothing imports a door",
      severity: "error",
      from: { path: "^src/testing/" },
      to: { path: "^src/(cli|explorer)/" },
    },
    {
      name: "not-to-testing",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/testing/" },
      to: { path: "^src/testing/" },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    // What stands in for Node's modules is found by its name when the user's code is bundled.
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, pathNot: "\\.d\\.ts$|^src/code/builtins/" },
      to: {},
    },
    {
      name: "not-to-test",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|examples|scripts)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { extensions: [".ts", ".js"] },
  },
};

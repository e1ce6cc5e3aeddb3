import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "dist.new/",
      "node_modules/",
      "coverage/",
      "site/out/",
      "editors/vscode/out/",
      "test/fixtures/",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off", // hot loops need them; npm run assertions counts them
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/no-implied-eval": "off", // generated code is the point
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    files: ["bench/**", "scripts/**", "test/**"],
    rules: { "no-console": "off" },
  },
  {
    // Browser extensions, and code that runs in pages.
    files: ["examples/extensions/**"],
    languageOptions: {
      globals: {
        browser: "readonly",
        chrome: "readonly",
        document: "readonly",
        fetch: "readonly",
        localStorage: "readonly",
        location: "readonly",
        setInterval: "readonly",
        window: "readonly",
      },
    },
  },
  {
    files: ["**/*.cjs", "**/*.mjs", "*.js"],
    languageOptions: {
      globals: {
        module: "writable",
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        performance: "readonly",
        fetch: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        AbortController: "readonly",
      },
    },
  },
);

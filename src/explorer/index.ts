/**
 * The server of `everypath explore`: a page in the user's browser shows one file of the project.
 *
 * Read `server.ts` first (the requests), then `gate.ts` (access control) and `project.ts` (files). `protocol.ts` defines the messages
 * between page and server; the page itself is in the folder `explorer` at the top. Searches run in threads
 * (`runs.ts`, `check-service.ts`), and so do queries about the model (`model-desk.ts`, `model-service.ts`).
 *
 * Invariants: only the page's own files are served without the secret; this folder does not depend on a language.
 */
export { startExplorer, type Explorer, type ExplorerOptions } from "./server.js";

/**
 * The server behind `everypath explore`: a page in the user's browser looks at one file of the project.
 *
 * Read `server.ts` first (what can be asked), then `gate.ts` (who may ask) and `project.ts` (which files). `protocol.ts` is what page
 * and server say to each other; the page itself is in the folder `explorer` at the top. Searches run in threads
 * (`runs.ts`, `check-service.ts`), so do questions about the model (`model-desk.ts`, `model-service.ts`).
 *
 * Always true: nobody is answered without the secret, except for the page's own files; no language is named here.
 */
export { startExplorer, type Explorer, type ExplorerOptions } from "./server.js";

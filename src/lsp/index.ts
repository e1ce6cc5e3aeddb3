/**
 * The language server of `everypath lsp --stdio`: diagnostics, hover, definition, references, outline, completion and
 * rename, for every language of the registry.
 *
 * Read `server.ts` first (the requests), then `analysis.ts` (the only file that asks the registry) and `words.ts` (names
 * in a text). `messages.ts` frames messages, `documents.ts` converts positions.
 *
 * Invariants: a text is never run, only read; this folder does not depend on a language; no request ends the server.
 */
export { serveLanguages } from "./server.js";

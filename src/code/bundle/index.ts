/**
 * Bundles the user's files into scripts for realms. Runs in the host, never in a realm.
 *
 * Read `bundle.ts` first, then `node-modules.ts`.
 */
export { bundle, entryName, type Bundle, type BundleRequest } from "./bundle.js";
export { worldSource } from "./world-source.js";
export { insideFile, isInsideFile, isPackageFile } from "./inside-files.js";
export { insideScript } from "./inside-script.js";
export { cataloguePage, nodeCatalogue } from "./node-catalogue.js";
export { isSupportedModule } from "./node-modules.js";
export { SourceMapped, type Place } from "./source-map.js";

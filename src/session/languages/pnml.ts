/** Adapts nets in PNML to the registry. */
import { loadPnml } from "../../languages/pnml/index.js";
import { loadedNet } from "./net.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export const load = (input: Input, options: LoadOptions): Loaded =>
  loadedNet(loadPnml(input.file, input.text), options);

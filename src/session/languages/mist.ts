/** Adapts nets in Mist's format to the registry. */
import { loadMist } from "../../languages/mist/index.js";
import { loadedNet } from "./net.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export const load = (input: Input, options: LoadOptions): Loaded =>
  loadedNet(loadMist(input.file, input.text), options);

/** `node:stream/promises`. */
import { promises } from "./stream.js";

export const { finished, pipeline } = promises;
export default promises;

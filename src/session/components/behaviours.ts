/** Behaviours of components, in the formats of ADL. */
import { loadAut } from "../../languages/aut/index.js";
import { loadPlts } from "../../languages/fractal/plts.js";

export const readBehaviour = (file: string, text: string, format: string): ReturnType<typeof loadAut> =>
  format === "pLTS" ? loadPlts(file, text) : loadAut(file, text);

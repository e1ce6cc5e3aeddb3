/** The script that every realm evaluates first. */
import { insideScript } from "./inside-script.js";

export const worldSource = (): string => insideScript("world/index");

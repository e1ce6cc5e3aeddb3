/** Pictures on their way to the page. Code that was explored is not trusted: what its process sends is sanitised here. */
import { BadPicture, renderUserPicture } from "../report/user-picture.js";
import { escapeMarkup } from "../report/escape.js";
import { refusal, type Refusal } from "./gate.js";
import type { DrawnView, PictureView } from "./protocol.js";

/** `isCode`: the answer comes from a process that runs the user's code, whatever it claims to be. */
export function safePicture(view: PictureView, isCode: boolean, title: string): DrawnView | Refusal {
  if (!isCode && "svg" in view) return view; // sound: test/explorer/picture.test.ts
  const text: unknown = "untrusted" in view ? view.untrusted : view.svg;
  if (text === null) return { svg: nothingYet };
  if (typeof text !== "string") return refusal(422, "the picture is no text");
  try {
    return { svg: renderUserPicture(text, title) };
  } catch (error) {
    if (error instanceof BadPicture) return refusal(422, error.message);
    throw error;
  }
}

const note = "nothing has started yet";
const nothingYet = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 40" width="220" height="40" role="img" aria-label="${escapeMarkup(note)}"><text x="110" y="24" text-anchor="middle" font-size="12" fill="currentColor">${note}</text></svg>`;

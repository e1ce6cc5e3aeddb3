/** The system at one moment of a run; the server draws it, as drawings differ between languages. */
import { useEffect, useState } from "react";
import type { PictureRequest } from "../../../src/explorer/protocol.js";
import { api } from "../api.js";
import type { Path } from "../path.js";

interface PicturePaneProps {
  readonly path: Path;
  readonly position: number;
  /** Name of the pictured system. */
  readonly name: string;
}

export function PicturePane({ path, position, name }: PicturePaneProps) {
  const [svg, setSvg] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    api.picture(momentOf(path, position)).then(
      (view) => isCurrent && (setSvg(view.svg), setProblem(null)),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => void (isCurrent = false);
  }, [path, position]);
  if (problem !== null) return <p className="notice bad">The picture cannot be drawn: {problem}</p>;
  if (svg === null) return <p className="empty">Drawing …</p>;
  // Every text in the drawing was escaped where it was written.
  return (
    <div
      className="drawing picture"
      tabIndex={0}
      role="group"
      aria-label={name}
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  );
}

/** Request for a picture; of a long run, the last steps only. */
function momentOf(path: Path, position: number): PictureRequest {
  return {
    schedule: path.scheduleTo(position),
    values: [...path.valuesAt(position)],
    before: position === 0 ? null : [...path.valuesAt(position - 1)],
    steps: path.steps
      .slice(Math.max(0, position - MOST_STEPS), position)
      .map(({ number, participants, action, messages }) => ({ number, participants, action, messages })),
  };
}

/** More arrows are indistinguishable. */
const MOST_STEPS = 200;

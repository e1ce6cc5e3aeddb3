/** Plays a trace: one step after the other, until the end or until it is stopped. */
import { useEffect, useState } from "react";

export interface Play {
  readonly isPlaying: boolean;
  readonly perSecond: number;
  toggle(): void;
  setPerSecond(perSecond: number): void;
}

/** Begins again at the first state if it is started at the last step. */
export function usePlay(current: number, last: number, select: (position: number) => void): Play {
  const [isPlaying, setPlaying] = useState(false);
  const [perSecond, setPerSecond] = useState(2);
  useEffect(() => {
    if (!isPlaying) return;
    if (current >= last) return setPlaying(false);
    const timer = setTimeout(() => select(current + 1), 1000 / perSecond);
    return () => clearTimeout(timer);
    // `select` is another function in every rendering.
  }, [isPlaying, current, last, perSecond]);
  const toggle = (): void => {
    if (!isPlaying && current >= last) select(0);
    setPlaying(!isPlaying && last > 0);
  };
  return { isPlaying, perSecond, toggle, setPerSecond };
}

export const SPEEDS = [1, 2, 5, 20] as const;

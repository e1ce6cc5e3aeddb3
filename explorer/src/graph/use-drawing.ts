/** Lays out by levels at once, and by ELK when that finishes. */
import { useEffect, useMemo, useState } from "react";
import { isForElk, layOutByElk, layOutByLevels, type Drawing } from "./layout.js";
import type { Graph } from "./model.js";

export interface Laid {
  readonly drawing: Drawing;
  /** `rough`: too large to be drawn with care, or the layout failed: edges may run through states. */
  readonly state: "drawn" | "improving" | "rough";
}

export function useDrawing(graph: Graph): Laid {
  const quick = useMemo(() => layOutByLevels(graph), [graph]);
  const [better, setBetter] = useState<{ of: Graph; drawing: Drawing | null } | null>(null);
  const isCareful = isForElk(graph);
  useEffect(() => {
    if (!isForElk(graph)) return;
    let isCurrent = true;
    layOutByElk(graph).then(
      (drawing) => isCurrent && setBetter({ of: graph, drawing }),
      () => isCurrent && setBetter({ of: graph, drawing: null }),
    );
    return () => void (isCurrent = false);
  }, [graph]);
  const isReady = better?.of === graph;
  const careful = isReady ? better.drawing : null;
  return {
    drawing: careful ?? quick,
    state: careful ? "drawn" : isCareful && !isReady ? "improving" : "rough",
  };
}

/** What the scheduler of a task program did on a path, newest first: lists share their tails, so that forks are cheap. */
import type { Span } from "../../../model/diagnostic.js";

export type TaskEvent =
  | {
      readonly kind: "task";
      readonly name: string;
      readonly instance: number;
      readonly phase: number;
      /** Instance that posted it, and where; of `main`, none. */
      readonly by: number | undefined;
      readonly span: Span | undefined;
    }
  | {
      readonly kind: "post";
      readonly name: string;
      /** `0`, or why the task is not in the queue. */
      readonly result: "queued" | "already queued" | "beyond the bound";
      readonly instance: number;
      readonly phase: number;
      readonly span: Span | undefined;
    }
  | {
      readonly kind: "interrupt";
      readonly name: string;
      readonly vector: number;
      /** The instance that it pre-empts. */
      readonly instance: number;
      readonly phase: number;
      /** Absent: at the end of the task. */
      readonly span: Span | undefined;
    }
  | { readonly kind: "interrupt end"; readonly instance: number; readonly phase: number };

export interface Events {
  readonly event: TaskEvent;
  readonly before: Events | undefined;
  readonly count: number;
}

export const eventsAfter = (before: Events | undefined, event: TaskEvent): Events => ({
  event,
  before,
  count: (before?.count ?? 0) + 1,
});

/** In order, from `from` on. */
export function eventList(events: Events | undefined, from = 0): TaskEvent[] {
  const list: TaskEvent[] = [];
  for (let each = events; each && each.count > from; each = each.before) list.push(each.event);
  return list.reverse();
}

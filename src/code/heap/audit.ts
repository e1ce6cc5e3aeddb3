/**
 * An audit of captures. A capture hashes anew only what it finds changed; should it once take a changed object for an unchanged one, two
 * different states would be taken for one. While there is an audit (`LiveHeap.audit`), everything is captured a second time
 * from nothing after every capture, and both have to agree, object by object.
 */
import type { Entry, Snapshot } from "./live-heap.js";

export class CaptureAudit {
  /** Captures that were compared. */
  captures = 0;

  /** `full`: the same heap, captured with nothing known of it. `pathOf`: how to get to the object at that place of it. */
  compare(captured: Snapshot, full: Snapshot, pathOf: (place: number) => string): void {
    this.captures++;
    const place = full.entries.findIndex((entry, at) => !isSame(captured.entries[at], entry));
    if (place >= 0) throw new CaptureDiffers(pathOf(place));
    if (captured.entries.length !== full.entries.length || captured.signature !== full.signature)
      throw new CaptureDiffers("the whole");
  }
}

/** A capture missed a change: a bug of ours. */
export class CaptureDiffers extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`a capture missed what changed at ${path}`);
    this.path = path;
  }
}

/** The same object with the same fields, in the same place; what it points to is compared in its own turn. */
function isSame(captured: Entry | undefined, { object, image, idLow, idHigh, hash }: Entry): boolean {
  if (captured?.object !== object || captured.idLow !== idLow || captured.idHigh !== idHigh) return false;
  if (captured.hash?.join() !== hash?.join()) return false;
  const { kind, tag, labels, values, bytes } = captured.image;
  return (
    kind === image.kind &&
    tag === image.tag &&
    labels.length === image.labels.length &&
    labels.every((label, i) => label === image.labels[i] && Object.is(values[i], image.values[i])) &&
    (bytes === undefined ? image.bytes === undefined : Buffer.compare(bytes, image.bytes!) === 0)
  );
}

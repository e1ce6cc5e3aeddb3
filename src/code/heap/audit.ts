/**
 * Audits captures. A capture rehashes only changed objects; mistaking a changed object for an unchanged one would
 * identify different states. With an audit (`LiveHeap.audit`), every capture is repeated from scratch, and both must
 * agree, object by object.
 */
import type { Entry, Snapshot } from "./live-heap.js";

export class CaptureAudit {
  captures = 0;

  /** `full`: a capture of the same heap from scratch. `pathOf`: access path of the object at that index. */
  compare(captured: Snapshot, full: Snapshot, pathOf: (place: number) => string): void {
    this.captures++;
    const place = full.entries.findIndex((entry, at) => !isSame(captured.entries[at], entry));
    if (place >= 0) throw new CaptureDiffers(pathOf(place));
    if (captured.entries.length !== full.entries.length || captured.signature !== full.signature)
      throw new CaptureDiffers("the whole");
  }
}

/** A capture missed a change: a bug of the checker. */
export class CaptureDiffers extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`a capture missed a change at ${path}`);
    this.path = path;
  }
}

/** Same object, fields and position; targets of pointers are compared separately. */
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

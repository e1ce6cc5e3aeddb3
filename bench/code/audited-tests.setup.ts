/** Audits captures in every test file, and records the results for the parent process. */
import { appendFileSync } from "node:fs";
import { afterAll } from "vitest";
import { CaptureAudit, CaptureDiffers, LiveHeap } from "../../src/code/heap/index.js";

class NotingAudit extends CaptureAudit {
  readonly differing: string[] = [];

  override compare(...captures: Parameters<CaptureAudit["compare"]>): void {
    try {
      super.compare(...captures);
    } catch (error) {
      if (error instanceof CaptureDiffers) this.differing.push(error.path);
      throw error;
    }
  }
}

const audit = new NotingAudit();
LiveHeap.audit = audit;

afterAll(() => {
  const { captures, differing } = audit;
  appendFileSync(process.env["EVERYPATH_AUDIT"]!, `${JSON.stringify({ captures, differing })}\n`);
});

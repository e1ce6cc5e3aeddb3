/** The working process, as seen by its supervisor. */
import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import { WriteStream, isatty } from "node:tty";
import { endWith } from "../sandbox/watchdog.js";
import { noteLostDiagnostics } from "./output-stream.js";
import { STDERR_FILE, type WorkerMessage, type SupervisorMessage } from "./supervision.js";
import type { Terminal } from "./terminal.js";

export function supervisedTerminal(): Terminal {
  endWith(process.ppid);
  let stop: (() => void) | undefined;
  const send = (message: WorkerMessage): void => {
    if (process.connected) process.send?.(message, () => undefined);
  };
  process.on("disconnect", () => process.exit());
  process.on("message", (message: SupervisorMessage) => {
    if (message.kind === "stop") stop?.();
    send({ kind: "alive" });
  });
  // The channel alone must not keep a process that is done.
  process.channel?.unref();
  const supervisor = {
    send,
    onStop: (stopped: () => void): void => {
      stop = stopped;
      process.channel?.ref();
      // The terminal signals both processes; the supervisor decides the meaning.
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
    },
  };
  const { stdout, stdin, env } = process;
  return { stdout, stderr: standardError(), stdin, env, supervisor };
}

function standardError(): NodeJS.WriteStream {
  if (isatty(STDERR_FILE)) return new WriteStream(STDERR_FILE);
  // A whole stream: simulations of code pipe into it.
  return new Writable({
    decodeStrings: true,
    write: (bytes: Buffer, _, done) => {
      writeAll(bytes);
      done();
    },
  }) as Writable & NodeJS.WriteStream;
}

function writeAll(bytes: Buffer): void {
  for (let done = 0; done < bytes.length;)
    try {
      done += writeSync(STDERR_FILE, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") {
        noteLostDiagnostics();
        return;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}

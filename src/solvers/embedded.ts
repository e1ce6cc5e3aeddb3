/**
 * Z3 as WebAssembly (`z3-solver`), in a thread that this one waits for.
 *
 * The thread makes a hung or exhausted solver replaceable without leaving the synchronous call: after its memory limit Z3 answers
 * nothing but errors, and a call into WebAssembly cannot be interrupted from within its own thread. The thread does not keep the
 * process alive. Text goes through `Z3_eval_smtlib2_string`, so that every back end speaks one language.
 */
import { createRequire } from "node:module";
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from "node:worker_threads";
import { answerOf, endingAtFailure, SolverFailure, type Backend, type Exchange } from "./backend.js";

export class EmbeddedZ3 implements Backend {
  readonly name = "z3 (embedded)";
  readonly #memoryMb: number;
  #thread: Thread | undefined;

  constructor(memoryMb = 2048) {
    this.#memoryMb = memoryMb;
  }

  /** Z3's timer needs a thread that the WebAssembly build does not have ready; it counts its steps instead. */
  limit(timeMs: number): string {
    return `(set-option :rlimit ${Math.max(1, Math.round(timeMs * STEPS_PER_MS))})`;
  }

  ask(commands: string, timeMs: number): string {
    return answerOf(this.begin(commands, timeMs));
  }

  begin(commands: string, timeMs: number): Exchange {
    const isNew = this.#thread === undefined;
    this.#thread ??= new Thread(this.#memoryMb);
    const exchange = this.#thread.begin(commands, timeMs + GRACE_MS + (isNew ? START_MS : 0));
    return endingAtFailure(exchange, () => this.close());
  }

  close(): void {
    this.#thread?.end();
    this.#thread = undefined;
  }
}

/** Measured: about 3,000 steps a millisecond in linear arithmetic; the deadline of the exchange is the limit that counts. */
const STEPS_PER_MS = 5000;
const GRACE_MS = 1000;
/** Compiling 35 MB of WebAssembly on a busy machine. */
const START_MS = 60_000;

class Thread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  /** [0]: number of answers so far. */
  readonly #answers = new Int32Array(new SharedArrayBuffer(4));
  #asked = 0;

  constructor(memoryMb: number) {
    const { port1, port2 } = new MessageChannel();
    const path = createRequire(import.meta.url).resolve("z3-solver/build/z3-built.js");
    this.#worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { path, port: port2, answers: this.#answers, memoryMb },
      transferList: [port2],
      stdout: true,
      stderr: true,
    });
    // A failure reaches the port or the deadline; without a listener it would end the process.
    this.#worker.on("error", () => undefined);
    this.#worker.unref();
    this.#port = port1;
    port1.unref();
  }

  begin(commands: string, timeMs: number): Exchange {
    this.#port.postMessage(commands);
    const deadline = performance.now() + timeMs;
    const number = ++this.#asked;
    return { poll: (waitMs) => this.#poll(number, Math.min(deadline, performance.now() + waitMs), deadline) };
  }

  #poll(number: number, until: number, deadline: number): string | undefined {
    for (let answered = this.#answered; answered < number; answered = this.#answered) {
      const now = performance.now();
      if (now >= deadline) throw new SolverFailure("the embedded Z3 does not answer");
      if (now >= until) return undefined;
      Atomics.wait(this.#answers, 0, answered, until - now);
    }
    const received = receiveMessageOnPort(this.#port) as { message: Reply } | undefined;
    if (!received) throw new SolverFailure("the embedded Z3 answered nothing");
    const { output, problem } = received.message;
    if (output === undefined) throw new SolverFailure(`the embedded Z3 failed: ${problem ?? "it ended"}`);
    if (/out of memory|memory exceeded/i.test(output))
      throw new SolverFailure("the embedded Z3 ran out of memory");
    return output;
  }

  get #answered(): number {
    return Atomics.load(this.#answers, 0);
  }

  end(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}

interface Reply {
  readonly output?: string;
  readonly problem?: string;
}

/** The program of the thread. It answers every message once, if only with the reason why it cannot. */
const PROGRAM = `
const { workerData } = require("node:worker_threads");
const { path, port, answers, memoryMb } = workerData;
const reply = (message) => {
  port.postMessage(message);
  Atomics.add(answers, 0, 1);
  Atomics.notify(answers, 0);
};
let failed;
const fail = (error) => {
  failed = String((error && error.message) || error).split("\\n")[0];
};
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
const started = (async () => {
  const em = await require(path)({ print() {}, printErr() {} });
  em.ccall("Z3_global_param_set", null, ["string", "string"], ["memory_max_size", String(memoryMb)]);
  const context = em._Z3_mk_context(em._Z3_mk_config());
  // The pool of threads would keep the process alive, and no check needs it.
  if (em.PThread) em.PThread.terminateAllThreads();
  return (text) => em.ccall("Z3_eval_smtlib2_string", "string", ["number", "string"], [context, text]);
})();
started.catch(fail);
port.on("message", async (text) => {
  let output;
  try {
    output = (await started)(text);
  } catch (error) {
    fail(error);
  }
  reply(output === undefined ? { problem: failed || "it ended" } : { output });
});
`;

/**
 * Runs a random program: the same code in a realm and in Node. `Surroundings` supplies the differences: services,
 * `fetch`, a folder, and Node's modules, so that realms create only the used ones. Logs events; the log is the outcome.
 */
import type * as fs from "node:fs";
import type * as net from "node:net";
import type { AsyncProgram, Step, Task } from "./program.js";

export interface Surroundings {
  readonly folder: string;
  /** If the program uses them. */
  readonly fs?: typeof fs;
  readonly net?: typeof net;
  log(text: string): void;
  ask(service: number): Promise<unknown>;
  fetch(task: number, signal: AbortSignal | undefined): Promise<Response>;
  setTimeout(run: () => void, ms: number): void;
  setImmediate(run: () => void): void;
}

/** Resolves when the body is over; `left`: its unawaited work. */
export async function interpret(
  program: AsyncProgram,
  around: Surroundings,
  left: Promise<unknown>[],
): Promise<void> {
  const server = program.tasks.some(({ steps }) => steps.some((step) => step.do === "send"))
    ? await listen(around)
    : undefined;
  const waited: Promise<unknown>[] = [];
  program.tasks.forEach((task, index) => {
    const end = runTask(task, index, around, server);
    (task.isLeft ? left : waited).push(end);
  });
  await Promise.all(waited);
  around.log("end");
  if (server) left.push(Promise.allSettled([...left]).then(() => server.close()));
}

async function listen(around: Surroundings): Promise<net.Server> {
  const server = around.net!.createServer((socket) => {
    socket.on("data", (bytes) => around.log(`data ${bytes.toString()}`));
    socket.on("end", () => socket.end());
    socket.on("error", () => around.log("server error"));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function runTask(task: Task, index: number, around: Surroundings, server?: net.Server): Promise<void> {
  for (const [number, step] of task.steps.entries()) {
    const answer = await runStep(step, index, around, server).catch(
      (error: Error & { code?: string }) => error.code ?? error.name,
    );
    around.log(`${index}.${number} ${answer}`);
  }
}

async function runStep(
  step: Step,
  task: number,
  around: Surroundings,
  server?: net.Server,
): Promise<unknown> {
  const path = (name: string): string => `${around.folder}/${name}`;
  switch (step.do) {
    case "ask":
      return around.ask(step.service);
    case "sleep":
      return new Promise((resolve) => around.setTimeout(() => resolve("woke"), step.ms));
    case "immediate":
      return new Promise((resolve) => around.setImmediate(() => resolve("next")));
    case "tick":
      return new Promise((resolve) => process.nextTick(() => resolve("tick")));
    case "write": {
      const { appendFile, writeFile } = around.fs!.promises;
      return (step.appends ? appendFile : writeFile)(path(step.file), step.text).then(() => "written");
    }
    case "read":
      return step.isSync
        ? around.fs!.readFileSync(path(step.file), "utf8")
        : around.fs!.promises.readFile(path(step.file), "utf8");
    case "rename":
      return around.fs!.promises.rename(path("a"), path("b")).then(() => "renamed");
    case "send": {
      const socket = around.net!.connect((server!.address() as net.AddressInfo).port, "127.0.0.1");
      for (const text of step.writes) socket.write(text);
      socket.end();
      socket.resume();
      return new Promise((resolve) => void socket.once("close", () => resolve("closed")));
    }
    case "fetch": {
      const controller = step.abortMs > 0 ? new AbortController() : undefined;
      if (controller) around.setTimeout(() => controller.abort(), step.abortMs);
      const response = await around.fetch(task, controller?.signal);
      around.log(`${task} headers`);
      return response.text();
    }
  }
}

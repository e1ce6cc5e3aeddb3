/** `node:process`: the global object. */
export const { nextTick, argv, platform, arch, pid, version, versions, cwd, hrtime, stdout, stderr, exit } =
  process;
export const env = process.env;
export const on = process.on.bind(process);
export const once = process.once.bind(process);
export const off = process.off.bind(process);
export const emitWarning = process.emitWarning.bind(process);
export const uptime = process.uptime.bind(process);
export const memoryUsage = process.memoryUsage.bind(process);
export default process;

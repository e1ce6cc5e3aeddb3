/** Processor time that this process has used, in milliseconds: a budget that a busy machine does not shorten. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

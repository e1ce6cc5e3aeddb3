/** Numbers for people: `1,234,567 states`, `2.1 GB`, `1 min 5 s`. */

/** Not `toLocaleString`: that loads 10 ms of tables. */
export const formatCount = (n: number): string => `${Math.round(n)}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 state`, `2 states`. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : many}`;

export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(seconds < 0.1 ? 3 : 2)} s`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `840 states/s`, `12 k states/s`, `3.4 M states/s`. */
export function formatRate(perSecond: number): string {
  if (perSecond < 10_000) return `${formatCount(perSecond)} states/s`;
  if (perSecond < 1e6) return `${Math.round(perSecond / 1e3)} k states/s`;
  return `${(perSecond / 1e6).toFixed(1)} M states/s`;
}

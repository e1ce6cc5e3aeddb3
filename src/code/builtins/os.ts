/** `node:os`: a fixed machine. */
export const EOL = "\n";
export const platform = (): string => "linux";
export const type = (): string => "Linux";
export const arch = (): string => "x64";
export const hostname = (): string => "localhost";
export const tmpdir = (): string => "/tmp";
export const homedir = (): string => "/home/user";
export const endianness = (): string => "LE";
export const availableParallelism = (): number => 1;
export const cpus = (): unknown[] => [{ model: "virtual", speed: 1000 }];
export const totalmem = (): number => 2 ** 32;
export const freemem = (): number => 2 ** 31;
export const uptime = (): number => performance.now() / 1000;
export const loadavg = (): number[] => [0, 0, 0];
export const networkInterfaces = (): object => ({});
export const release = (): string => "1.0.0";
export default {
  EOL,
  platform,
  type,
  arch,
  hostname,
  tmpdir,
  homedir,
  endianness,
  availableParallelism,
  cpus,
  totalmem,
  freemem,
  uptime,
  loadavg,
  networkInterfaces,
  release,
};

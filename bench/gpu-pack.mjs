/**
 * Packs `conformance:gpu` and `bench:gpu` for a machine with a graphics processor and without Node, npm or a network:
 * `node bench/gpu-pack.mjs FOLDER [--models DIR]`. There: `FOLDER/run.sh RESULTS`.
 *
 * The folder holds a compressed Node, the bundles, koffi for linux-x64, the models and fixtures, and `pan` binaries, statically linked, where
 * spin and gcc are installed here.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { bundling } from "../scripts/bundling.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { models: { type: "string" }, "no-pan": { type: "boolean", default: false } },
});
const [folder] = positionals;
if (!folder) {
  console.error("usage: node bench/gpu-pack.mjs FOLDER [--models DIR] [--no-pan]");
  process.exit(3);
}
const root = resolve(fileURLToPath(import.meta.url), "../..");
const inRoot = (...parts) => join(root, ...parts);
const inPack = (...parts) => join(resolve(folder), ...parts);

rmSync(inPack(), { recursive: true, force: true });
mkdirSync(inPack("bench"), { recursive: true });
writeFileSync(inPack("package.json"), JSON.stringify({ name: "everypath", type: "module" }));
for (const file of ["bench/gpu.ts", "bench/conformance-gpu.ts"])
  await build({
    ...bundling(inRoot(file), inPack("bench")),
    packages: "bundle",
    external: ["koffi", "esbuild", "typescript", "vitest"],
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
  });
for (const name of ["koffi", "@koromix/koffi-linux-x64"])
  cpSync(inRoot("node_modules", name), inPack("node_modules", name), {
    recursive: true,
    filter: (path) => !/\/(vendor|doc|musl_x64)(\/|$)/.test(path),
  });
for (const name of ["promela/conformance", "murphi/models"])
  cpSync(inRoot("test/fixtures", name), inPack("test/fixtures", name), { recursive: true });
mkdirSync(inPack("models"));
if (values.models) cpSync(values.models, inPack("models"), { recursive: true });
execFileSync("sh", ["-c", `xz -T0 -2 -c "${process.execPath}" > "${inPack("node.xz")}"`]);
mkdirSync(inPack("pans"));
if (!values["no-pan"] && !spawnSync("spin", ["-V"]).error && !spawnSync("gcc", ["--version"]).error)
  makePans();
writeFileSync(inPack("run.sh"), runner());
chmodSync(inPack("run.sh"), 0o755);

function makePans() {
  const own = mkdtempSync(join(tmpdir(), "everypath-models-"));
  execFileSync("node", [inRoot("scripts/run-ts.mjs"), inRoot("bench/gpu.ts"), "--write-models", own]);
  for (const from of [own, inPack("models")])
    for (const name of readdirSync(from).filter(
      (n) => n.endsWith(".pml") && !/filter-6|wide-10|counters-7/.test(n),
    )) {
      const work = mkdtempSync(join(tmpdir(), "everypath-pan-"));
      cpSync(join(from, name), join(work, "m.pml"));
      const command =
        "spin -o1 -o2 -o3 -a m.pml && gcc -O2 -w -static -s -DBFS -DSAFETY -DNOREDUCE -DNOFAIR -DVECTORSZ=4096 -o pan pan.c";
      if (spawnSync("sh", ["-c", command], { cwd: work }).status === 0)
        cpSync(join(work, "pan"), inPack("pans", name.replace(/\.pml$/, ".pan")));
      rmSync(work, { recursive: true, force: true });
    }
  rmSync(own, { recursive: true, force: true });
}

function runner() {
  return `#!/bin/sh
# Runs the comparison and the bench on this machine: run.sh RESULTS [PART…]
# Parts: devices first huge registers large conformance trees hugetrees small. Each has a time limit; everything printed goes to log.txt, figures of a part to one file, as they come.
here=$(cd "$(dirname "$0")" && pwd)
out=\${1:?usage: run.sh RESULTS [PART...]}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
parts=\${*:-devices first huge large conformance small}
node=/tmp/everypath-node-$$
xz -dc "$here/node.xz" > "$node" 2>/dev/null || python3 -c "import lzma,sys; sys.stdout.buffer.write(lzma.open('$here/node.xz').read())" > "$node"
chmod +x "$node"
trap 'rm -f "$node"' EXIT
if [ -z "$OCL_ICD_FILENAMES" ] && ! ls /etc/OpenCL/vendors 2>/dev/null | grep -q nvidia; then
  for library in libnvidia-opencl.so.1 /usr/lib/x86_64-linux-gnu/libnvidia-opencl.so.1; do
    if ldconfig -p 2>/dev/null | grep -q libnvidia-opencl.so.1 || [ -e "$library" ]; then
      OCL_ICD_FILENAMES=$library
      export OCL_ICD_FILENAMES
      break
    fi
  done
fi
run() {
  name=$1; limit=$2; shift 2
  echo "== $name" | tee -a "$out/log.txt"
  started=$(date +%s)
  timeout "$limit" "$node" "$@" 2>&1 | grep --line-buffered -v 'warnings* generated' | tee -a "$out/log.txt"
  echo "$name: $(($(date +%s) - started)) s" | tee -a "$out/log.txt"
}
cd "$here"
for part in $parts; do case $part in
  devices) { nvidia-smi; ls /etc/OpenCL/vendors; ldconfig -p | grep -i opencl; } >> "$out/log.txt" 2>&1 ;;
  first) run first 60 bench/gpu.mjs --device-alone --only filter-5,counters-6 --time 30 --json "$out/first.json" ;;
  huge) for m in filter-6 counters-7 wide-10; do run "huge-$m" 130 bench/gpu.mjs --huge --only $m --time 115 --json "$out/huge-$m.json"; done ;;
  registers) for n in 64 128; do run "registers-$n" 40 bench/gpu.mjs --huge --only filter-6 --time 30 --compiler="-cl-nv-maxrregcount=$n" --json "$out/registers.json"; done ;;
  large) run large 420 bench/gpu.mjs --only filter-5,counters-6,wide-8,philosophers-8,leader-election-8,bakery-3,sliding,allocator --time 45 --pans pans --json "$out/large.json" ;;
  conformance) # The driver's compiler takes most of the time: as many processes as processors.
    shards=$(nproc); for k in $(seq 1 "$shards"); do run "conformance-$k" 300 bench/conformance-gpu.mjs --programs 1000 --minutes 4 --shard "$k/$shards" --models models & done; wait ;;
  trees) run trees 200 bench/gpu.mjs --store tree --device-alone --models models --time 40 --only filter-5,wide-8,bakery-3,sliding,firewire,rether,cambridge --json "$out/trees.json"
    shards=$(nproc); for k in $(seq 1 "$shards"); do run "conformance-trees-$k" 150 bench/conformance-gpu.mjs --store tree --programs 200 --minutes 2 --shard "$k/$shards" --models models & done; wait ;;
  hugetrees) run huge-trees 120 bench/gpu.mjs --huge --store tree --only filter-6 --time 100 --json "$out/huge-trees.json" ;;
  small) run small 200 bench/gpu.mjs --models models --only cambridge,extinction,firewire,fischer,frogs,gear,leader_f,mcs,phils,rether --time 20 --pans pans --json "$out/small.json" ;;
esac; done
`;
}

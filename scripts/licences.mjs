/**
 * The licence texts of packages whose code is bundled into the package, found from the files that went into the bundles.
 * A package without a text fails the build: its code may not be given away without one.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** `files`: every file that went into some bundle, ours among them. */
export function licenceTexts(files, root) {
  const folders = new Set(files.map((file) => packageFolder(resolve(root, file))).filter(Boolean));
  const packages = [...folders].map(readPackage).sort((a, b) => (a.title < b.title ? -1 : 1));
  if (packages.length === 0) throw new Error("no bundled package was found: the list of files is wrong");
  const distinct = [...new Map(packages.map((each) => [each.title, each])).values()];
  const copied = files.flatMap((file) => copiedFrom(resolve(root, file)));
  const heading = "Everypath contains code of these packages, under their licences.";
  const sections = [...distinct, ...copied].map(({ title, texts }) => [RULE, title, "", ...texts].join("\n"));
  return [heading, ...sections].join("\n\n");
}

const RULE = "-".repeat(80);

/** A file of this project that a script took out of a package begins with the name of the package and its licence. */
function copiedFrom(file) {
  if (packageFolder(file) !== undefined || !/\.[jt]s$/.test(file) || !existsSync(file)) return [];
  const [, title, text] =
    /^(?:\/\* eslint-disable \*\/\n)?\/\*\n(.*): made by scripts\/.*\n([\s\S]*?)\*\//.exec(
      readFileSync(file, "utf8"),
    ) ?? [];
  return title === undefined ? [] : [{ title, texts: [text.trim()] }];
}

/** The folder of the package that a file belongs to; undefined for files of this project. */
function packageFolder(file) {
  const at = file.replace(/\?.*$/, "").replaceAll("\\", "/");
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(at)?.[1];
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const names = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = names.map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0) texts.push(relatedText(folder, name, license));
  return { title: `${name} ${version} (${license ?? "see below"})`, texts };
}

/** Packages of one family may keep the text in the package that they are named after: `@chevrotain/gast` in `chevrotain`. */
function relatedText(folder, name, license) {
  const family = /^@([^/]+)\//.exec(name)?.[1];
  const sibling = family && join(folder, "../..", family);
  try {
    const related = readPackage(sibling);
    if (related.title.endsWith(`(${license})`)) return related.texts[0];
  } catch {
    // Fails below.
  }
  throw new Error(`${name} is bundled, but its package has no licence text`);
}

/** `everypath completion SHELL`: a script that completes commands, options and their values. */
import type { CommandFacts, OptionFacts } from "./command-facts.js";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export const completionScript = (shell: Shell, commands: readonly CommandFacts[]): string =>
  ({ bash, zsh, fish })[shell](commands);

/** The words after `everypath COMMAND`, then those after each option with values. */
function bash(commands: readonly CommandFacts[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => {
      if (option.value === "") return [];
      const pattern = namesOf(option)
        .map((flag) => `${name}:${flag}`)
        .join("|");
      return [`    ${pattern}) ${bashValue(option)} ;;`];
    }),
  );
  const flags = commands.map(
    ({ name, options }) => `    ${name}) options="${[...options.flatMap(namesOf), "--help"].join(" ")}" ;;`,
  );
  return `# everypath completion bash: put this into ~/.bashrc:  source <(everypath completion bash)
_everypath() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} options=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), "help", "--help", "--version"].join(" ")}" -- "$current"))
    return
  fi
  case "$command:$previous" in
${values.join("\n")}
  esac
  case "$command" in
${flags.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -F _everypath everypath
`;
}

const bashValue = ({ words, isFile, isFolder }: OptionFacts): string => {
  if (words.length > 0) return `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$current")); return`;
  if (isFolder) return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")); return`;
  if (isFile) return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return`;
  return "return";
};

function zsh(commands: readonly CommandFacts[]): string {
  const cases = commands.map(({ name, options, operands }) => {
    const specs = [
      ...options.flatMap((option) => namesOf(option).map((flag) => zshOption(flag, option))),
      "'--help[display help]'",
      ...(operands.length > 0 ? ["'*:file:_files'"] : []),
    ];
    return `    ${name}) _arguments \\\n      ${specs.join(" \\\n      ")} ;;`;
  });
  const list = commands.map(({ name, description }) => `    '${name}:${zshText(description)}'`);
  return `#compdef everypath
# everypath completion zsh: put this into a file _everypath of a folder in $fpath.
_everypath() {
  local -a commands=(
${list.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _everypath everypath
`;
}

function zshOption(flag: string, { value, description, words, isFile, isFolder }: OptionFacts): string {
  const action = words.length > 0 ? `(${words.join(" ")})` : isFolder ? "_files -/" : isFile ? "_files" : " ";
  const argument = value === "" ? "" : `:${zshText(value.replace(/[<>[\\]]/g, ""))}:${action}`;
  return `'*${flag}[${zshText(description)}]${argument}'`;
}

/** Inside of single quotes and brackets. */
const zshText = (text: string): string => text.replace(/'/g, "'\\''").replace(/[[\]:]/g, "\\$&");

function fish(commands: readonly CommandFacts[]): string {
  const lines = commands.flatMap(({ name, description, options }) => [
    `complete -c everypath -n __fish_use_subcommand -f -a ${name} -d ${fishText(description)}`,
    ...options.map(
      (option) => `complete -c everypath -n '__fish_seen_subcommand_from ${name}' ${fishOption(option)}`,
    ),
  ]);
  return `# everypath completion fish: put this into ~/.config/fish/completions/everypath.fish\n${lines.join("\n")}\n`;
}

function fishOption({ short, long, value, description, words, isFile, isFolder }: OptionFacts): string {
  const names = [short && `-s ${short.slice(1)}`, `-l ${long.slice(2)}`].filter(Boolean).join(" ");
  const values =
    value === ""
      ? ""
      : words.length > 0
        ? ` -x -a '${words.join(" ")}'`
        : isFile
          ? " -r -F"
          : isFolder
            ? " -x -a '(__fish_complete_directories)'"
            : " -x";
  return `${names}${values} -d ${fishText(description)}`;
}

const fishText = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

const namesOf = ({ short, long }: OptionFacts): string[] => [short, long].filter((name) => name !== "");

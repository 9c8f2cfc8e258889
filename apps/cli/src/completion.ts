import type { Command, Option } from 'commander';

type Completable = {
  path: string[];
  words: string[];
  options: readonly Option[];
  commands: readonly Command[];
  values: readonly string[];
};

export const completionScripts = { bash: formatBash, zsh: formatZsh, fish: formatFish };
export type Shell = keyof typeof completionScripts;

/** The command and all its subcommands, each with the words that may follow it. */
function completablesOf(command: Command, path: string[] = [], inherited: readonly Option[] = []): Completable[] {
  const options = [...command.createHelp().visibleOptions(command), ...inherited];
  const commands = command.createHelp().visibleCommands(command);
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = [...commands.map((one) => one.name()), ...values, ...options.map(({ long }) => long ?? '')].filter(
    Boolean,
  );
  const own = inherited.length > 0 ? inherited : command.options;
  const below = commands
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => completablesOf(one, [...path, one.name()], own));
  return [{ path, words: [...new Set(words)], options, commands, values }, ...below];
}

function formatBash(program: Command): string {
  const completables = completablesOf(program);
  const choices = new Map<string, readonly string[]>();
  const taking = new Set<string>();
  for (const { options } of completables) {
    for (const { long, argChoices, required, optional } of options) {
      if (long && (required || optional)) taking.add(long);
      if (long && argChoices) choices.set(long, [...new Set([...(choices.get(long) ?? []), ...argChoices])]);
    }
  }
  const words = completables.map(({ path, words }) => `    "${path.join(' ')}") words="${words.join(' ')}" ;;`);
  const values = [...choices].map(
    ([option, list]) => `    ${option}) COMPREPLY=($(compgen -W "${list.join(' ')}" -- "$current")); return ;;`,
  );
  const others = [...taking].filter((option) => !choices.has(option));
  return `# assay completion for bash. To enable it: source <(assay completion bash)
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" path="" words="" i
  case "$previous" in
${values.join('\n')}
    ${others.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
${completables
  .slice(1)
  .map(({ path }) => `      "${path.join(' ')}") path="${path.join(' ')}" ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ "$current" != -* && ( "$path" == check || "$path" == submit ) ]]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -o bashdefault -F _assay assay`;
}

/** zsh can run bash completions after `bashcompinit`. */
function formatZsh(program: Command): string {
  const script = formatBash(program).split('\n').slice(1).join('\n');
  return `# assay completion for zsh. To enable it: source <(assay completion zsh)
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${script}`;
}

function formatFish(program: Command): string {
  const lines = completablesOf(program).flatMap(({ path, options, commands, values }) => {
    const isHere =
      path.length === 0
        ? '__fish_use_subcommand'
        : path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const nested = commands.map((one) => one.name()).join(' ');
    const isNext = path.length > 0 && nested ? `${isHere}; and not __fish_seen_subcommand_from ${nested}` : isHere;
    const line = (rest: string) => `complete -c assay -n ${shellQuote(isNext)} ${rest}`;
    return [
      ...commands.map((one) => line(`-f -a ${one.name()} -d ${shellQuote(one.summary() || one.description())}`)),
      ...values.map((value) => line(`-f -a ${value}`)),
      ...options.flatMap(({ long, description, argChoices, required, optional }) => {
        if (!long) return [];
        const takes = argChoices ? ` -x -a ${shellQuote(argChoices.join(' '))}` : required || optional ? ' -r' : '';
        return [line(`-l ${long.slice(2)}${takes} -d ${shellQuote(description)}`)];
      }),
    ];
  });
  return ['# assay completion for fish.', ...lines].join('\n');
}

function shellQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

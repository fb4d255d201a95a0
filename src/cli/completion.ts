import type { Command, Run } from './command.ts';
import { commands } from './commands.ts';

/**
 * Completions made from the table: command words, options, and the words that an option or argument
 * may take.
 */
export const completion: Run = async call => {
  await call.print(completionOf(call.arguments[0] as Shell));
};

type Shell = 'bash' | 'zsh' | 'fish';

export const completionOf = (shell: Shell): string => ({ bash, zsh, fish })[shell]();

/** Words that may follow a command: its options, and the choices of its first argument. */
const wordsAfter = ({ options = {}, arguments: wanted = [] }: Command): string[] => [
  ...Object.keys(options).map(name => `--${name}`),
  ...(wanted[0]?.choices ?? []),
];

const firstWords = (): string[] => [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];

const secondWords = (first: string): string[] =>
  commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]!);

const choicesOf = (): [string, readonly string[]][] =>
  commands.flatMap(({ name, options = {} }) =>
    Object.entries(options).flatMap(([option, { choices }]): [string, readonly string[]][] =>
      choices ? [[`${name}:--${option}`, choices]] : [],
    ),
  );

function bash(): string {
  const groups = firstWords().filter(first => secondWords(first).length > 0);
  return `# bash completion of gatehouse
_gatehouse() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${firstWords().join(' ')}' -- "$word")); return
  fi
  case "$command" in
${groups
  .map(
    first => `    ${first})
      if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W '${secondWords(first).join(' ')}' -- "$word")); return; fi
      command="$command \${COMP_WORDS[2]}" ;;`,
  )
  .join('\n')}
  esac
  case "$command:$before" in
${choicesOf()
  .map(([key, choices]) => `    '${key}') COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`)
  .join('\n')}
  esac
  case "$command" in
${commands.map(command => `    '${command.name}') words='${wordsAfter(command).join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "$word" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$word")) ;; esac
}
complete -o filenames -F _gatehouse gatehouse
`;
}

const quoted = (text: string): string => text.replaceAll("'", "'\\''");

function zsh(): string {
  const describe = ({ name, does }: Command) => `'${quoted(name.split(' ').at(-1)!)}:${quoted(does)}'`;
  const groups = firstWords().filter(first => secondWords(first).length > 0);
  const plain = commands.filter(({ name }) => !name.includes(' '));
  const specs = ({ options = {}, arguments: wanted = [] }: Command) =>
    [
      ...Object.entries(options).map(([name, { description, type, value, choices }]) => {
        const takes = type === 'boolean' ? '' : `:${value ?? 'value'}:${choices ? `(${choices.join(' ')})` : '_files'}`;
        return `'--${name}[${quoted(description).replaceAll(/[[\]:]/g, ' ')}]${takes}'`;
      }),
      ...wanted.map(({ name, choices }) => `'*:${name}:${choices ? `(${choices.join(' ')})` : '_files'}'`),
    ].join(' ');
  const body = commands.map(command => `    '${command.name}') _arguments ${specs(command)} ;;`).join('\n');
  return `#compdef gatehouse
_gatehouse() {
  local -a first
  first=(${plain.map(describe).join(' ')} ${groups.map(first => `'${first}:${secondWords(first).join(', ')}'`).join(' ')})
  if (( CURRENT == 2 )); then _describe command first; return; fi
  local command="\${words[2]}"
  case "$command" in
${groups
  .map(
    first => `    ${first})
      if (( CURRENT == 3 )); then local -a second; second=(${commands
        .filter(({ name }) => name.startsWith(`${first} `))
        .map(describe)
        .join(' ')}); _describe command second; return; fi
      command="$command \${words[3]}"; shift words; (( CURRENT-- )) ;;`,
  )
  .join('\n')}
  esac
  shift words; (( CURRENT-- ))
  case "$command" in
${body}
  esac
}
_gatehouse "$@"
`;
}

function fish(): string {
  const lines = ['# fish completion of gatehouse', 'complete -c gatehouse -f'];
  for (const first of firstWords()) {
    const one = commands.find(({ name }) => name === first);
    lines.push(
      `complete -c gatehouse -n __fish_use_subcommand -a ${first} -d '${quoted(one?.does ?? secondWords(first).join(', '))}'`,
    );
    for (const second of secondWords(first)) {
      const { does } = commands.find(({ name }) => name === `${first} ${second}`)!;
      const seen = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${secondWords(first).join(' ')}`;
      lines.push(`complete -c gatehouse -n '${seen}' -a ${second} -d '${quoted(does)}'`);
    }
  }
  for (const { name, options = {}, arguments: wanted = [] } of commands) {
    const seen = name
      .split(' ')
      .map(word => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
    for (const [option, { description, short, type, choices }] of Object.entries(options)) {
      const takes = type === 'boolean' ? '' : choices ? ` -x -a '${choices.join(' ')}'` : ' -r -F';
      lines.push(
        `complete -c gatehouse -n '${seen}' -l ${option}${short ? ` -s ${short}` : ''}${takes} -d '${quoted(description)}'`,
      );
    }
    const [argument] = wanted;
    if (argument?.choices) lines.push(`complete -c gatehouse -n '${seen}' -a '${argument.choices.join(' ')}'`);
    else if (argument) lines.push(`complete -c gatehouse -n '${seen}' -F`);
  }
  return `${lines.join('\n')}\n`;
}

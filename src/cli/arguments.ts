import { parseArgs } from 'node:util';
import { didYouMean } from '../runtime/did-you-mean.ts';
import { type Command, type CommandOption, WrongUsage } from './command.ts';

interface ParsedArguments {
  readonly options: Record<string, string | boolean | string[] | undefined>;
  readonly arguments: string[];
}

const helpOption: CommandOption = { type: 'boolean', short: 'h', description: 'say how it is used' };

/** Options that every command has. */
export const everyOption: Readonly<Record<string, CommandOption>> = { help: helpOption };

/** The command that the words name, the longest name first, and what follows it. */
export function findCommand(words: readonly string[], table: readonly Command[]): { command: Command; rest: string[] } {
  const byLength = [...table].sort((a, b) => b.name.split(' ').length - a.name.split(' ').length);
  for (const command of byLength) {
    const name = command.name.split(' ');
    if (name.every((word, index) => words[index] === word)) return { command, rest: words.slice(name.length) };
  }
  const inside = table.filter(command => command.name.startsWith(`${words[0]} `));
  if (inside.length > 0) {
    const seconds = inside.map(command => command.name.split(' ')[1]!);
    const second = words[1];
    const wrong =
      second === undefined || second.startsWith('-') ? 'what?' : `no "${second}"${didYouMean(second, seconds)}`;
    throw new WrongUsage(`${words[0]}: ${wrong} Write one of: ${inside.map(({ name }) => name).join(', ')}`);
  }
  const known = table.map(({ name }) => name.split(' ')[0]!);
  throw new WrongUsage(`no command "${words[0]}"${didYouMean(words[0]!, known)}; gatehouse help lists them`);
}

/** Throws `WrongUsage` with what is wrong, in one line. */
export function readArguments(command: Command, rest: readonly string[]): ParsedArguments {
  const options = { ...everyOption, ...command.options };
  const { values, positionals } = parse(command, options, rest);
  for (const [name, value] of Object.entries(values)) {
    const choices = options[name]?.choices;
    for (const one of Array.isArray(value) ? value : [value])
      if (choices && typeof one === 'string' && !choices.includes(one))
        throw new WrongUsage(`--${name} "${one}": write one of ${choices.join(', ')}${didYouMean(one, choices)}`);
  }
  const wanted = command.arguments ?? [];
  if (values.help === true) return { options: values, arguments: positionals };
  const missing = wanted.find((argument, index) => argument.required && positionals[index] === undefined);
  if (missing) throw new WrongUsage(`${missing.name} is missing`);
  if (positionals.length > wanted.length && !wanted.at(-1)?.many)
    throw new WrongUsage(`"${positionals[wanted.length]}" is one word too many`);
  for (const [index, { name, choices }] of wanted.entries()) {
    const written = positionals[index];
    if (choices && written !== undefined && !choices.includes(written))
      throw new WrongUsage(`${name} "${written}": write one of ${choices.join(', ')}${didYouMean(written, choices)}`);
  }
  return { options: values, arguments: positionals };
}

function parse(command: Command, options: Readonly<Record<string, CommandOption>>, rest: readonly string[]) {
  try {
    return parseArgs({
      args: joined(rest, options),
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, short, multiple }]) => [
          name,
          { type, ...(short === undefined ? {} : { short }), ...(multiple ? { multiple } : {}) },
        ]),
      ),
    }) as { values: ParsedArguments['options']; positionals: string[] };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const option = /'(-[^' ,=]*)/.exec(message)?.[1] ?? '';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
      throw new WrongUsage(
        `${command.name} has no option ${option}${didYouMean(
          option,
          Object.keys(options).map(name => `--${name}`),
        )}`,
      );
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw new WrongUsage(/does not take/.test(message) ? `${option} takes no value` : `${option} needs a value`);
    throw new WrongUsage(message);
  }
}

/**
 * `--status -1` as `--status=-1`, where -1 is a choice of the option: a value that begins with a
 * hyphen would be taken for an option.
 */
function joined(rest: readonly string[], options: Readonly<Record<string, CommandOption>>): string[] {
  const words: string[] = [];
  for (let index = 0; index < rest.length; index++) {
    const [word, next] = [rest[index]!, rest[index + 1]];
    if (word === '--') return [...words, ...rest.slice(index)];
    const takes = word.startsWith('--') && next?.startsWith('-') && options[word.slice(2)]?.choices?.includes(next);
    words.push(takes ? `${word}=${next}` : word);
    if (takes) index++;
  }
  return words;
}

/** Value of an option in the help: ` FILE`, ` full|slim`, or nothing. */
export const optionValue = ({ type, value, choices }: CommandOption): string =>
  type === 'boolean' ? '' : ` ${choices?.join('|') ?? value ?? 'VALUE'}`;

/** `apply SITE [--prune] [--dry-run]` */
export function usageOf({ name, arguments: wanted = [], options = {} }: Command): string {
  const words = wanted.map(({ name: argument, required, many }) => {
    const shown = many ? `${argument} …` : argument;
    return required ? shown : `[${shown}]`;
  });
  const flags = Object.entries(options).map(([option, spec]) => `[--${option}${optionValue(spec)}]`);
  return ['gatehouse', name, ...words, ...flags].join(' ');
}

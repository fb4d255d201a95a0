import { everyOption, findCommand, optionValue, usageOf } from './arguments.ts';
import { type Command, type CommandOption, flag, type Run } from './command.ts';
import { commands } from './commands.ts';
import { commandsManual, configManual } from './man.ts';

export const help: Run = async call => {
  const words = call.arguments;
  if (flag(call, 'man')) return call.print(words[0] === 'gatehouse.yaml' ? configManual() : commandsManual(commands));
  const group = commands.filter(({ name }) => name.startsWith(`${words.join(' ')} `));
  if (words.length === 0) return call.print(overview());
  if (group.length > 0 && !commands.some(({ name }) => name === words.join(' '))) return call.print(list(group));
  await call.print(helpOf(findCommand(words, commands).command));
};

function overview(): string {
  return [
    'Gatehouse: the connected-device platform, standing at the site.',
    '',
    list(commands),
    'A command finds the box by --data-dir, --config, GATEHOUSE_DATA_DIR, GATEHOUSE_CONFIG, in ./gatehouse-data, or where the package has it (/var/lib/gatehouse).',
    'gatehouse help COMMAND says more about one of them.',
    '',
  ].join('\n');
}

function list(some: readonly Command[]): string {
  const width = Math.max(...some.map(({ name }) => name.length));
  return some.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}\n`).join('');
}

function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...everyOption });
  const left = options.map(([name, option]) => optionText(name, option));
  const width = Math.max(...left.map(text => text.length));
  const lines = [
    `usage: ${usageOf(command)}`,
    '',
    `${command.does.charAt(0).toUpperCase()}${command.does.slice(1)}.`,
    '',
    ...options.map(([, { description }], index) => `  ${left[index]!.padEnd(width)}  ${description}`),
    ...(command.more ?? []).flatMap(paragraph => ['', paragraph]),
    ...(command.examples ? ['', ...command.examples.map(example => `  ${example}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

const optionText = (name: string, option: CommandOption): string =>
  `${option.short ? `-${option.short}, ` : ''}--${name}${optionValue(option)}`;

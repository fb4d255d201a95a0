import { configKeys } from '../config/index.ts';
import { programVersion } from '../runtime/version.ts';
import { everyOption, optionValue, usageOf } from './arguments.ts';
import type { Command } from './command.ts';

const synopsis = 'edge gateway of the connected-device platform';

/** Makes gatehouse(1) from the table of commands, in roff. */
export function commandsManual(commands: readonly Command[]): string {
  return `${[
    `.TH GATEHOUSE 1 "" "gatehouse ${programVersion}"`,
    '.ad l',
    '.SH NAME',
    `gatehouse \\- ${synopsis}`,
    '.SH SYNOPSIS',
    '.B gatehouse',
    '.I COMMAND',
    '.RI [ OPTION "...] [" ARGUMENT ...]',
    '.SH DESCRIPTION',
    'Gatehouse stands at the site and speaks the protocols of the platform: it takes what devices send, keeps it, and passes it on to the cloud.',
    '.PP',
    roff(
      'A command finds the box by --data-dir, --config, GATEHOUSE_DATA_DIR, GATEHOUSE_CONFIG, in ./gatehouse-data, or where the package has it (/var/lib/gatehouse).',
    ),
    'One that finds a running box asks it over the socket in its data directory.',
    '.SH COMMANDS',
    ...commands.flatMap(ofCommand),
    '.SH EXIT STATUS',
    '.IP 0 4',
    'Done.',
    '.IP 1 4',
    'It was not done; one line on standard error says why and what to do.',
    '.IP 2 4',
    'Called wrongly.',
    '.SH FILES',
    '.IP /etc/gatehouse/gatehouse.yaml 4',
    'The config of the service, see',
    '.BR gatehouse.yaml (5).',
    '.IP /var/lib/gatehouse 4',
    'What the box keeps: records, keys, backups before updates.',
    '.SH SEE ALSO',
    '.BR gatehouse.yaml (5),',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
  ].join('\n')}\n`;
}

function ofCommand(command: Command): string[] {
  const { does, options = {}, more = [], examples = [] } = command;
  return [
    `.SS ${quoted(usageOf({ ...command, options: {} }))}`,
    sentence(does),
    ...Object.entries({ ...options, ...everyOption }).flatMap(([name, option]) => [
      '.TP',
      `.B ${roff(`${option.short ? `-${option.short}, ` : ''}--${name}${optionValue(option)}`)}`,
      sentence(option.description),
    ]),
    ...more.flatMap(paragraph => ['.PP', roff(paragraph)]),
    ...(examples.length > 0 ? ['.PP', '.EX', ...examples.map(roff), '.EE'] : []),
  ];
}

/** With a capital and a full stop; a name such as product_id keeps its case. */
const sentence = (text: string): string =>
  roff(
    `${/^[a-z]+(?![\w.])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text}${/[.)]$/.test(text) ? '' : '.'}`,
  );
const quoted = (text: string): string => `"${roff(text).replaceAll('"', '\\(dq')}"`;

/** Escapes text for roff: backslashes, hyphens, and lines that begin like a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll('…', '...')
    .replace(/^[.']/, '\\&$&');

/** Makes gatehouse.yaml(5) from the schema of the config. */
export function configManual(): string {
  const lines = [
    `.TH GATEHOUSE.YAML 5 "" "gatehouse ${programVersion}"`,
    '.ad l',
    '.SH NAME',
    'gatehouse.yaml \\- config file of gatehouse',
    '.SH DESCRIPTION',
    'YAML (JSON is YAML). Every key is optional. Unknown keys and wrong values are refused by name, with line and column, before the box listens:',
    '.B gatehouse check\\-config',
    '.IR FILE ;',
    'what is in force, and from where, says',
    '.BR "gatehouse check\\-config \\-\\-effective" .',
    '.PP',
    roff(
      'A variable GATEHOUSE_ + the key in upper case with __ between levels overrides a key: GATEHOUSE_LISTEN__MQTTS=127.0.0.1:8883.',
    ),
    roff('A value file:PATH is read from that file, relative to the file that holds it: so are secrets written.'),
  ];
  for (const section of [undefined, ...configKeys.filter(key => key.section)]) {
    const above = section?.path.join('.') ?? '';
    const keys = configKeys.filter(key => !key.section && key.path.slice(0, -1).join('.') === above);
    if (section) lines.push(`.SH ${quoted(above.toUpperCase())}`, sentence(section.meta.description ?? ''));
    else if (keys.length > 0) lines.push('.SH KEYS AT THE TOP');
    for (const { path, kind, byDefault, meta } of keys) {
      const without = byDefault === undefined || Array.isArray(byDefault) ? '' : `; default: ${byDefault}`;
      lines.push(
        '.TP',
        `.B ${roff(path.join('.'))}`,
        sentence(meta.description ?? ''),
        '.br',
        roff(`(${kind}${without})`),
      );
    }
  }
  lines.push(...['.SH FILES', '.I /etc/gatehouse/gatehouse.yaml', '.SH SEE ALSO', '.BR gatehouse (1)']);
  return `${lines.join('\n')}\n`;
}

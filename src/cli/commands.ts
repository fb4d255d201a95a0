import { applianceCommands } from './appliance-commands.ts';
import { auditCommands } from './audit-commands.ts';
import { backupCommands } from './backup-commands.ts';
import type { Command, CommandOption } from './command.ts';
import { device, findsBox, json } from './common-options.ts';
import { integrationCommands } from './integration-commands.ts';
import { provisioningCommands } from './provisioning-commands.ts';
import { siteDeviceCommands } from './site-device-commands.ts';
import { signCommands, simulationCommands } from './tool-commands.ts';
import { updateCommands } from './update-commands.ts';
import { userCommands } from './user-commands.ts';

const out: CommandOption = {
  type: 'string',
  value: 'FILE',
  description: 'write there, readable by its owner alone; else to standard output',
};
const moments = 'a moment such as 2026-11-20, 2026-11-20T08:00 or 2h (ago)';
/**
 * The one table of commands: it makes the command line, `help`, the completions and the list in
 * docs/operating.md.
 */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    does: 'run the box in the foreground',
    options: {
      apply: { type: 'string', value: 'SITE', description: 'load this site file before it listens' },
      'log-level': {
        type: 'string',
        choices: ['debug', 'info', 'warn', 'error'],
        description: 'what to write to its log; info when absent',
      },
      ...findsBox,
    },
    more: [
      'When every listener is up it writes one line to standard error: ready {"mqtts":"0.0.0.0:8883",…}. SIGTERM and SIGINT end it within 10 s.',
      'Without a config file the defaults of docs/config.md are in force.',
    ],
    examples: ['gatehouse serve --data-dir ./gatehouse-data --apply site.yaml'],
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'apply',
    does: 'load a site file into the store of a box, running or stopped',
    arguments: [{ name: 'SITE', required: true }],
    options: {
      prune: { type: 'boolean', description: 'remove what the file does not list, in the sections that it has' },
      'dry-run': { type: 'boolean', description: 'print the plan, change nothing' },
      ...findsBox,
      json,
    },
    more: [
      'Applying a file twice changes nothing the second time. A section that the file does not have is left alone.',
    ],
    load: async () => (await import('./apply.ts')).apply,
  },
  {
    name: 'export',
    does: 'write out what the box holds',
    options: {
      what: {
        type: 'string',
        choices: ['site', 'checkins', 'access', 'logs'],
        description: 'what to write; site when absent',
      },
      format: {
        type: 'string',
        choices: ['yaml', 'csv', 'ndjson', 'xlsx'],
        description: 'yaml for a site, ndjson for records when absent',
      },
      out,
      'with-secrets': { type: 'boolean', description: 'of a site: with the keys, to be applied elsewhere' },
      'with-photos': { type: 'boolean', description: 'of access records: with the photos taken at the door' },
      device,
      department: { type: 'string', value: 'EXT_ID', description: 'of reports: of a department and those below it' },
      person: { type: 'string', value: 'EXT_ID', description: 'of reports: of one person' },
      month: { type: 'string', value: 'MONTH', description: 'of reports: one month of the site, such as 2026-11' },
      day: { type: 'string', value: 'DAY', description: 'of reports: one day of the site, such as 2026-11-20' },
      raw: { type: 'boolean', description: 'csv of check-ins and access records by field names, times as numbers' },
      model: { type: 'string', value: 'MODEL', description: 'of logs: of one model' },
      sn: { type: 'string', value: 'SN', description: 'of logs: of one serial number' },
      from: { type: 'string', value: 'TIME', description: `from then on: ${moments}` },
      to: { type: 'string', value: 'TIME', description: 'before then' },
      text: { type: 'string', value: 'TEXT', description: 'of logs: that contain this, in whatever case' },
      ...findsBox,
    },
    more: [
      '--from and --to count the time of receipt for logs, and check_time for check-ins and access records.',
      'csv and xlsx of check-ins and access records are reports for people: headers in the language of the site, times of its clock, a day as --to is meant with that day.',
      'Elsewhere received_at is in milliseconds, check_time in seconds since 1970 (UTC).',
    ],
    examples: [
      'gatehouse export --what checkins --month 2026-11 --format xlsx --out november.xlsx',
      'gatehouse export --what logs --sn A0001 --from 2h --text error',
    ],
    load: async () => (await import('./export.ts')).exportWhat,
  },
  {
    name: 'import',
    does: 'load departments or employees from a CSV file, all of it or nothing',
    arguments: [
      { name: 'WHAT', required: true, choices: ['departments', 'employees'] },
      { name: 'FILE', required: true },
    ],
    options: {
      'dry-run': { type: 'boolean', description: 'say what would change, change nothing' },
      ...findsBox,
      json,
    },
    more: [
      'The first line names the columns: ext_id, name, p_ext_id (部门编号, 部门名称, 上级部门编号) of departments; ext_id, name, mobile, employee_num, department_ext_id, title (人员编号, 姓名, 手机号, 工号, 部门编号, 职务) of employees.',
      'Every row that is wrong is said with its line. UTF-8, or GB18030 as Excel in China writes it.',
    ],
    examples: ['gatehouse import employees people.csv --dry-run'],
    load: async () => (await import('./import.ts')).importRows,
  },
  ...integrationCommands,
  {
    name: 'status',
    does: 'the line, what waits, the devices, the disk: what an installer asks first',
    options: {
      device: { ...device, description: 'where each record of this device is, and why its logins were refused' },
      limit: { type: 'string', value: 'COUNT', description: 'with --device: how many records; 20 when absent' },
      ...findsBox,
      json,
    },
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'doctor',
    does: 'check certificate, disk, radios, the way to the cloud and the clock, and say what to do',
    options: { ...findsBox, json },
    more: ['A stopped box is checked with the config that is named. Exit status 1: a check failed.'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'logs',
    does: 'what devices logged, or the box itself, oldest first',
    options: {
      system: { type: 'boolean', description: 'what the box itself says: its log in the journal of systemd' },
      follow: { type: 'boolean', short: 'f', description: 'go on with what comes' },
      device,
      from: { type: 'string', value: 'TIME', description: `from then on: ${moments}; one day when absent` },
      ...findsBox,
      json: { type: 'boolean', description: 'one JSON document a line' },
    },
    more: [
      "The box's own log goes to its standard error, which systemd keeps in its journal; its readers are root and the group systemd-journal.",
    ],
    load: async () => (await import('./logs.ts')).logs,
  },
  {
    name: 'parked list',
    does: 'what the cloud refused for good, and why',
    options: { ...findsBox, json },
    load: async () => (await import('./parked.ts')).parkedList,
  },
  {
    name: 'parked send-again',
    does: 'send parked records to the cloud once more',
    arguments: [{ name: 'SEQ|all', required: true }],
    options: { ...findsBox, json },
    load: async () => (await import('./parked.ts')).parkedSendAgain,
  },
  ...backupCommands,
  ...provisioningCommands,
  {
    name: 'trust export',
    does: 'the trust store that a device embeds to accept this box',
    options: {
      edition: {
        type: 'string',
        choices: ['full', 'slim'],
        description: 'slim: its own root alone (when absent); full: with the public roots',
      },
      out: { type: 'string', value: 'FILE', description: 'write there, else to standard output' },
      ...findsBox,
    },
    load: async () => (await import('./trust.ts')).trustExport,
  },
  {
    name: 'check-config',
    does: 'say what is wrong in a config file, or what is in force and where each value comes from',
    arguments: [{ name: 'FILE' }],
    options: {
      effective: { type: 'boolean', description: 'each key, its value and its origin; secrets masked' },
      ...findsBox,
      json,
    },
    load: async () => (await import('./check-config.ts')).checkConfig,
  },
  ...signCommands,
  ...applianceCommands,
  ...updateCommands,
  ...siteDeviceCommands,
  ...userCommands,
  ...auditCommands,
  ...simulationCommands,
  {
    name: 'setup',
    does: 'say whether a phone may set the box up now, and how the last attempt went',
    options: {
      'show-key': { type: 'boolean', description: "with the password of the box's hotspot, for its label" },
      ...findsBox,
      json,
    },
    load: async () => (await import('./setup.ts')).setup,
  },
  {
    name: 'reset',
    does: 'back to the state in which the box left the shelf',
    options: {
      network: { type: 'boolean', description: 'forget the wifi network, so that a phone can set the box up again' },
      all: { type: 'boolean', description: 'remove everything that the box holds; asks for the name of the site' },
      yes: { type: 'boolean', description: 'with --all: do not ask' },
      'keep-backup': {
        type: 'string',
        value: 'FILE',
        description: 'with --all: write a backup there first; none otherwise',
      },
      'passphrase-file': {
        type: 'string',
        value: 'FILE',
        description: 'encrypt that backup with the passphrase in FILE (- for standard input), not to the recovery key',
      },
      ...findsBox,
    },
    more: [
      '--all removes records, people, accounts, keys, certificates, the network and, on a flashed box, its settings. What its label says stays, and so does whom it trusts for updates. A power cut in the middle is made good by the next start.',
    ],
    load: async () => (await import('./reset.ts')).reset,
  },
  {
    name: 'version',
    does: 'print the version',
    options: { licences: { type: 'boolean', description: 'the licence of everything in it' }, json },
    load: async () => (await import('./version.ts')).version,
  },
  {
    name: 'help',
    does: 'list the commands, or say how one is used',
    arguments: [{ name: 'COMMAND', many: true }],
    options: {
      man: { type: 'boolean', description: 'the manual page as roff; of the config: help --man gatehouse.yaml' },
    },
    load: async () => (await import('./help.ts')).help,
  },
  {
    name: 'completion',
    does: 'print the completions of a shell',
    arguments: [{ name: 'SHELL', required: true, choices: ['bash', 'zsh', 'fish'] }],
    examples: ['gatehouse completion bash > /etc/bash_completion.d/gatehouse'],
    load: async () => (await import('./completion.ts')).completion,
  },
];

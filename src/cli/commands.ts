import { parityCommand, simulationCommands } from '../../tools/commands.ts';
import { applianceCommands } from './appliance-commands.ts';
import { auditCommands } from './audit-commands.ts';
import { backupCommands } from './backup-commands.ts';
import type { Command, CommandOption } from './command.ts';
import { device, findsBox, json } from './common-options.ts';
import { drillCommands } from './drill-commands.ts';
import { eventCommands } from './event-commands.ts';
import { importCommand } from './import-command.ts';
import { integrationCommands } from './integration-commands.ts';
import { lineCommands } from './line-commands.ts';
import { migrateCommand } from './migrate-command.ts';
import { provisioningCommands } from './provisioning-commands.ts';
import { regionCommands } from './region-commands.ts';
import { signCommands } from './sign-commands.ts';
import { siteDeviceCommands } from './site-device-commands.ts';
import { statementCommands } from './statement-commands.ts';
import { supportCommand } from './support-command.ts';
import { updateCommands } from './update-commands.ts';
import { userCommands } from './user-commands.ts';

const out: CommandOption = {
  type: 'string',
  value: 'FILE',
  description: 'write to this file, readable only by its owner; default: standard output',
};
const moments = 'a time such as 2026-11-20, 2026-11-20T08:00 or 2h (ago)';
/**
 * The one table of commands: it makes the command line, `help`, the completions and the list in
 * docs/operating.md.
 */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    does: 'run the box in the foreground',
    options: {
      apply: { type: 'string', value: 'SITE', description: 'load this site file before listening' },
      'log-level': {
        type: 'string',
        choices: ['debug', 'info', 'warn', 'error'],
        description: 'what to write to its log; default: info',
      },
      ...findsBox,
    },
    more: [
      'When every listener is up it writes one line to standard error: ready {"mqtts":"0.0.0.0:8883",…}. SIGTERM and SIGINT end it within 10 s. SIGHUP takes certificates that were replaced on disk (tls.cert, tls.key, upstream.ca), which the box does by itself within a minute.',
      'Without a config file the defaults of docs/config.md apply.',
    ],
    examples: ['gatehouse serve --data-dir ./gatehouse-data --apply site.yaml'],
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'apply',
    does: 'load a site file into the store of a box, running or stopped',
    arguments: [{ name: 'SITE', required: true }],
    options: {
      prune: {
        type: 'boolean',
        description: 'remove entries that the file does not list, in the sections that it has',
      },
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
    does: 'write the site, check-ins, access records or logs',
    options: {
      what: {
        type: 'string',
        choices: ['site', 'checkins', 'access', 'logs'],
        description: 'what to write; default: site',
      },
      format: {
        type: 'string',
        choices: ['yaml', 'csv', 'ndjson', 'xlsx'],
        description: 'default: yaml for a site, ndjson for records',
      },
      out,
      'with-secrets': {
        type: 'boolean',
        description: 'of a site: include the keys, so that it can be applied elsewhere',
      },
      'with-photos': { type: 'boolean', description: 'of access records: include the photos taken at the door' },
      device,
      box: {
        type: 'string',
        value: 'ID',
        description:
          'of records: only what devices of the box below with this id reported; here: those of no box below',
      },
      department: {
        type: 'string',
        value: 'EXT_ID',
        description: 'of reports: only this department and those below it',
      },
      person: { type: 'string', value: 'EXT_ID', description: 'of reports: only this person' },
      month: {
        type: 'string',
        value: 'MONTH',
        description: 'of reports: one month in the time zone of the site, such as 2026-11',
      },
      day: {
        type: 'string',
        value: 'DAY',
        description: 'of reports: one day in the time zone of the site, such as 2026-11-20',
      },
      separator: {
        type: 'string',
        choices: ['comma', 'semicolon', 'tab'],
        description: 'of csv reports; default: as spreadsheets expect it in the language of the site',
      },
      raw: { type: 'boolean', description: 'csv of check-ins and access records by field names, times as numbers' },
      model: { type: 'string', value: 'MODEL', description: 'of logs: only this model' },
      sn: { type: 'string', value: 'SN', description: 'of logs: only this serial number' },
      from: { type: 'string', value: 'TIME', description: `from this time on: ${moments}` },
      to: { type: 'string', value: 'TIME', description: 'before this time' },
      text: {
        type: 'string',
        value: 'TEXT',
        description: 'of logs: only those that contain this text, in any letter case',
      },
      ...findsBox,
    },
    more: [
      '--from and --to compare the time of receipt of logs, and check_time of check-ins and access records.',
      'csv and xlsx of check-ins and access records are reports for people: headers in the language of the site, times in its time zone; a day as --to includes that day. For Excel take xlsx: it leaves numbers, ids and names as they are.',
      'Elsewhere received_at is in milliseconds, check_time in seconds since 1970 (UTC).',
    ],
    examples: [
      'gatehouse export --what checkins --month 2026-11 --format xlsx --out november.xlsx',
      'gatehouse export --what checkins --box GATEHOUSE_000002 --day 2026-11-20 --format csv',
      'gatehouse export --what logs --sn A0001 --from 2h --text error',
    ],
    load: async () => (await import('./export.ts')).exportWhat,
  },
  importCommand,
  ...integrationCommands,
  parityCommand,
  {
    name: 'status',
    does: 'the line, what waits, the devices, the disk: what an installer asks first',
    options: {
      device: { ...device, description: 'where each record of this device is, and why its logins were refused' },
      limit: { type: 'string', value: 'COUNT', description: 'with --device: how many records; default: 20' },
      check: { type: 'boolean', description: 'one line; exit status 1 unless the box runs and acknowledges records' },
      ...findsBox,
      json,
    },
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'doctor',
    does: 'check certificate, disk, radios, the connection to the cloud and the clock, and say what to do',
    options: {
      region: {
        type: 'boolean',
        description: 'on a machine of a region: members and leaders, database, roles, HAProxy, and who is let in',
      },
      ...findsBox,
      json,
    },
    more: ['A stopped box is checked with the config that you name. Exit status 1: a check failed.'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  supportCommand,
  ...drillCommands,
  {
    name: 'logs',
    does: 'what devices logged, or the box itself, oldest first',
    options: {
      system: { type: 'boolean', description: "the box's own log, from the journal of systemd" },
      follow: { type: 'boolean', short: 'f', description: 'continue with new lines' },
      device,
      from: { type: 'string', value: 'TIME', description: `from this time on: ${moments}; default: the last day` },
      ...findsBox,
      json: { type: 'boolean', description: 'one JSON document a line' },
    },
    more: [
      "The box's own log goes to its standard error, which systemd keeps in its journal; its readers are root and the group systemd-journal.",
    ],
    load: async () => (await import('./logs.ts')).logs,
  },
  ...eventCommands,
  {
    name: 'alerts',
    does: 'open alerts, what to do about each, and how the channels stand',
    options: { ...findsBox, json },
    examples: ['gatehouse alerts'],
    load: async () => (await import('./alerts.ts')).alerts,
  },
  {
    name: 'alerts test',
    does: 'send a test message by every channel of the alerts, or by one',
    arguments: [{ name: 'CHANNEL', required: false }],
    options: { ...findsBox, json },
    load: async () => (await import('./alerts.ts')).alertsTest,
  },
  ...lineCommands,
  ...backupCommands,
  migrateCommand,
  ...regionCommands,
  ...provisioningCommands,
  {
    name: 'trust export',
    does: 'the trust store that a device embeds to accept this box',
    options: {
      edition: {
        type: 'string',
        choices: ['full', 'slim'],
        description: 'slim: only its own root (default); full: with the public roots',
      },
      out: { type: 'string', value: 'FILE', description: 'write to this file; default: standard output' },
      ...findsBox,
    },
    load: async () => (await import('./trust.ts')).trustExport,
  },
  {
    name: 'check-config',
    does: 'report errors in a config file, or show the values in force and where each comes from',
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
  ...statementCommands,
  ...simulationCommands,
  {
    name: 'setup',
    does: 'show whether a phone can set up the box now, and how the last attempt went',
    options: {
      'show-key': { type: 'boolean', description: "also show the password of the box's hotspot, for its label" },
      ...findsBox,
      json,
    },
    load: async () => (await import('./setup.ts')).setup,
  },
  {
    name: 'reset',
    does: 'reset the network, or everything, to the state in which the box was delivered',
    options: {
      network: { type: 'boolean', description: 'forget the wifi network, so that a phone can set the box up again' },
      all: { type: 'boolean', description: 'remove everything that the box holds; asks for the name of the site' },
      yes: { type: 'boolean', description: 'with --all: do not ask' },
      'keep-backup': {
        type: 'string',
        value: 'FILE',
        description: 'with --all: write a backup there first; without it none is made',
      },
      'passphrase-file': {
        type: 'string',
        value: 'FILE',
        description:
          'encrypt that backup with the passphrase in FILE (- for standard input) instead of the recovery key',
      },
      ...findsBox,
    },
    more: [
      '--all removes records, people, accounts, keys, certificates, the network and, on a flashed box, its settings. What its label says stays, and so do the keys that it trusts for updates. After a power cut the next start completes the reset.',
    ],
    load: async () => (await import('./reset.ts')).reset,
  },
  {
    name: 'version',
    does: 'print the version, the commit and the checksum of this program',
    options: { licences: { type: 'boolean', description: 'the licence of everything in it' }, json },
    more: ['The checksum is that of the executable file, as the SHA256SUMS of its release lists it.'],
    load: async () => (await import('./version.ts')).version,
  },
  {
    name: 'help',
    does: 'list the commands, or explain one',
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

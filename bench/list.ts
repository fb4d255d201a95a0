import { armInstructions } from './arm/instructions.ts';
import { bigSearch } from './big-search.ts';
import { bigIngest, bigStart, pages } from './big-store-rows.ts';
import { checkIns } from './check-ins.ts';
import { commands } from './commands.ts';
import { connections } from './connections.ts';
import { drain, paced } from './drain.ts';
import { ingestWhileDraining } from './drain-ingest.ts';
import { emulated } from './emulated.ts';
import { halfCore } from './half-core.ts';
import { idle } from './idle.ts';
import { ingestWithListeners } from './listening-programs.ts';
import { memory } from './memory.ts';
import { oneInFlight } from './one-in-flight.ts';
import { pacedLong } from './paced-long.ts';
import { regionIdle } from './region/idle.ts';
import { regionPages } from './region/pages.ts';
import { besideRabbitMq, regionStores } from './region/rows.ts';
import type { Row } from './report.ts';
import { resumed } from './resumed.ts';
import type { Pace } from './rounds.ts';
import { http, latency, qos1, start } from './rows.ts';
import { site } from './site.ts';
import { slowDisk } from './slow-disk.ts';
import { slowWrites } from './slow-writes.ts';
import { soak } from './soak.ts';
import { storm } from './storm.ts';
import type { Tool } from './tools.ts';
import { writtenAtFullLoad, writtenForLoneRecords } from './written.ts';

export interface Entry {
  readonly run: (pace: Pace) => Promise<Row[]>;
  /** Beside Node, taskset and openssl. */
  readonly needs: readonly Tool[];
  /** Why it runs only when it is asked for by name. */
  readonly onlyAsked?: string;
}

/** Every row by the name that `--only` takes, in the order of the table. */
export const entries: Readonly<Record<string, Entry>> = {
  qos1: { run: pace => qos1(pace, 'plain'), needs: ['mosquitto', 'openssl'] },
  'qos1-tls': { run: pace => qos1(pace, 'ECDSA'), needs: ['mosquitto', 'openssl'] },
  'qos1-rsa': { run: pace => qos1(pace, 'RSA'), needs: ['mosquitto', 'openssl'] },
  latency: { run: pace => latency(pace, false), needs: ['mosquitto'] },
  'latency-tls': { run: pace => latency(pace, true), needs: ['mosquitto', 'openssl'] },
  'one-in-flight': { run: pace => oneInFlight(pace, false), needs: ['mosquitto', 'openssl'] },
  'one-in-flight-tls': { run: pace => oneInFlight(pace, true), needs: ['mosquitto', 'openssl'] },
  connect: { run: pace => connections(pace, 'plain'), needs: ['mosquitto', 'openssl'] },
  'connect-tls': { run: pace => connections(pace, 'ECDSA'), needs: ['mosquitto', 'openssl'] },
  'connect-rsa': { run: pace => connections(pace, 'RSA'), needs: ['mosquitto', 'openssl'] },
  'resumed-tls12': { run: pace => resumed(pace, 'TLSv1.2'), needs: ['openssl'] },
  'resumed-tls13': { run: pace => resumed(pace, 'TLSv1.3'), needs: ['openssl'] },
  storm: { run: storm, needs: ['mosquitto', 'openssl', '12000 open files'] },
  http: { run: http, needs: ['openssl'] },
  drain: { run: drain, needs: ['mosquitto'] },
  paced: { run: paced, needs: [] },
  'paced-long': { run: pacedLong, needs: ['6000 open files'] },
  'drain-ingest': { run: ingestWhileDraining, needs: ['mosquitto'] },
  events: { run: ingestWithListeners, needs: [] },
  'check-ins': { run: checkIns, needs: [] },
  site: { run: site, needs: [] },
  'big-ingest': { run: bigIngest, needs: [] },
  'big-pages': { run: pages, needs: [] },
  'big-search': { run: bigSearch, needs: [] },
  written: { run: writtenAtFullLoad, needs: [] },
  'written-lone': { run: writtenForLoneRecords, needs: [] },
  region: { run: regionStores, needs: ['PostgreSQL'] },
  'region-pages': { run: regionPages, needs: ['PostgreSQL'] },
  'region-rabbitmq': { run: besideRabbitMq, needs: ['RabbitMQ'] },
  'region-idle': { run: regionIdle, needs: ['PostgreSQL', '20000 open files'] },
  memory: { run: memory, needs: ['6000 open files'] },
  idle: { run: idle, needs: [] },
  commands: { run: commands, needs: [] },
  start: { run: start, needs: [] },
  'big-start': { run: bigStart, needs: [] },
  'slow-disk': { run: slowDisk, needs: ['strace'] },
  'slow-writes': { run: slowWrites, needs: ['a disk of our own'] },
  'half-core': { run: halfCore, needs: ['a control group'] },
  emulated: { run: emulated, needs: ['the emulator for ARM', 'the binary for arm64', 'the binary for x64'] },
  'arm-instructions': {
    run: armInstructions,
    needs: ['the emulator with plugins', 'a C compiler', 'the emulator for ARM', 'the binary for arm64'],
  },
  soak: { run: soak, needs: ['mosquitto'], onlyAsked: 'it takes an hour' },
};

/**
 * Which entries are run and which are left out, with the reason. Without names: all except those
 * that only run when named.
 */
export function plan(
  asked: readonly string[] | undefined,
  missing: (tool: Tool) => string | null,
): { readonly run: readonly string[]; readonly left: readonly string[] } {
  const run: string[] = [];
  const left: string[] = [];
  for (const name of asked ?? Object.keys(entries)) {
    const { needs, onlyAsked } = entries[name]!;
    const lacks = needs.map(tool => ({ tool, bring: missing(tool) })).find(({ bring }) => bring !== null);
    if (asked === undefined && onlyAsked !== undefined)
      left.push(`${name}: ${onlyAsked}; \`npm run bench -- --only ${name}\``);
    else if (lacks) left.push(`${name}: ${lacks.tool} is missing; \`${lacks.bring}\``);
    else run.push(name);
  }
  return { run, left };
}

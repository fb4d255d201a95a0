import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check, CheckName, RegionCheckName } from '../../platform/checks.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { found as foundOnMachine } from '../../words/checks.ts';
import { foundInRegion as found } from '../../words/region-findings.ts';
import type { Finding } from '../doctor/check.ts';
import { callAsStranger, isOpenToOthers, proxyServers, RegionCaller } from './asks.ts';
import { type AskDatabase, databaseFindings, roleFindings, settingFindings } from './database-checks.ts';
import { type Findings, failed, listed, ok, wordsOf } from './findings.ts';
import { clockFindings, etcdFindings, primaryFindings, standbyFindings } from './member-checks.ts';
import type { RegionMachine } from './region.ts';

export interface RegionExamination {
  readonly machines: readonly RegionMachine[];
  /** Of certificates and keys on this machine. */
  readonly folder: string;
  /** HAProxy's Unix socket. */
  readonly socket: string;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly ask: AskDatabase;
  /** Whether a login at a server is refused for want of a password; rejects where none answers. */
  readonly isRefused: (address: string) => Promise<boolean>;
}

export type RegionCheck = Check<CheckName | RegionCheckName>;

/**
 * Check by check, as each is done: members and leaders first, since with two leaders nothing else
 * matters.
 */
export async function* examineRegion(options: RegionExamination): AsyncGenerator<RegionCheck> {
  const { machines, clock, timeZone, folder } = options;
  const caller = new RegionCaller(folder);
  const looks: readonly (readonly [RegionCheck['name'], () => Promise<Findings>])[] = [
    ['etcd', () => etcdFindings(machines, caller)],
    ['primary', () => primaryFindings(machines, caller)],
    ['standby', () => standbyFindings(machines, caller)],
    ['database', () => databaseFindings(options.ask)],
    ['settings', () => settingFindings(options.ask)],
    ['roles', () => roleFindings(options.ask)],
    ['clock', () => clockFindings(machines, caller, clock)],
    ['haproxy', () => proxyFindings(options)],
    ['strangers', () => strangerFindings(options, caller)],
    ['certificate', async () => [certificateFinding(folder, clock.now(), timeZone)]],
  ];
  for (const [name, look] of looks) {
    const since = clock.monotonic();
    const findings = await look().catch(
      (error): Findings => [failed(foundOnMachine('check_failed', { error: wordsOf(error) }))],
    );
    const ms = Math.round(clock.monotonic() - since);
    for (const finding of findings) yield { name, of: '', ms, error: null, ...finding };
  }
}

async function proxyFindings({ machines, socket }: RegionExamination): Promise<Findings> {
  try {
    const servers = await proxyServers(socket);
    const missing = servers.filter(({ part, isUp }) => part !== 'database' && !isUp);
    const database = servers.filter(({ part, isUp }) => part === 'database' && isUp);
    const findings = missing.map(({ part, server, status }) =>
      failed(found('haproxy_misses', { part, machines: server, why: status })),
    );
    if (database.length !== 1)
      findings.push(
        failed(found('haproxy_misses', { part: 'database', machines: 'primary', why: `${database.length}` })),
      );
    if (isOpenToOthers(socket)) findings.push(failed(found('stranger_let_in', { machines: socket, way: 'HAProxy' })));
    const seen = listed(machines.map(({ name }) => name));
    return findings.length > 0 ? findings : [ok(found('haproxy', { machines: seen }))];
  } catch (error) {
    return [failed(found('haproxy_silent', { error: wordsOf(error) }))];
  }
}

async function strangerFindings({ machines, isRefused }: RegionExamination, caller: RegionCaller): Promise<Findings> {
  const findings: Finding[] = [];
  for (const { name, address, ports } of machines) {
    const lets = async (way: string, isIn: Promise<boolean>) => {
      if (await isIn.catch(() => false)) findings.push(failed(found('stranger_let_in', { machines: name, way })));
    };
    const answers = (port: number, path: string, tls: boolean) =>
      callAsStranger(address, port, path, { tls }).then(({ status }) => status < 400);
    const before = findings.length;
    for (const tls of [true, false]) {
      await lets(`etcd${tls ? '' : ' without TLS'}`, answers(ports.etcd, '/v3/cluster/member/list', tls));
      await lets(`Patroni${tls ? '' : ' without TLS'}`, answers(ports.patroni, '/config', tls));
    }
    const machine = machines.find(one => one.name === name)!;
    await lets(
      'Patroni, PATCH without a password',
      caller.patroni(machine, '/config', 'PATCH').then(({ status }) => status < 400),
    );
    await lets(
      'PostgreSQL',
      isRefused(address).then(isOut => !isOut),
    );
    if (findings.length === before) findings.push(ok(found('strangers', { machines: name })));
  }
  return findings;
}

const certificateDaysMin = 60;

/** The certificate that ends first. */
function certificateFinding(folder: string, now: number, timeZone: string): Finding {
  const ends = readdirSync(folder)
    .filter(name => name.endsWith('.pem'))
    .map(file => ({ file, end: Date.parse(new X509Certificate(readFileSync(join(folder, file))).validTo) }))
    .sort((one, other) => one.end - other.end);
  const { file, end } = ends[0]!;
  const { day } = dayOf(end, timeZone);
  if (end - now > certificateDaysMin * 24 * 3600 * 1000) return ok(found('region_certificate', { day }));
  return { state: end < now ? 'failed' : 'warn', ...found('region_certificate_ends', { file, day }) };
}

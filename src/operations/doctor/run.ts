import type { SecureContext } from 'node:tls';
import type { Check, CheckName, DoctorRun } from '../../platform/checks.ts';
import type { Clock } from '../../runtime/clock.ts';
import { found } from '../../words/checks.ts';
import type { UsedTwice } from '../../words/machine-findings.ts';
import { applianceChecks } from './appliance.ts';
import { type BackupFacts, noTargetFinding, targetFinding } from './backups.ts';
import { check, skipped } from './check.ts';
import { clockCheck } from './clock.ts';
import { filesCheck } from './files.ts';
import { certificateCheck, type DiskHealth, diskCheck, flushFinding, type RadioState, radioCheck } from './machine.ts';
import { addressCheck, gatewayCheck } from './near.ts';
import { dnsCheck, loginCheck, notEncrypted, placeOf, type TryLogin, tcpCheck, tlsCheck } from './upstream.ts';

export interface DoctorOptions {
  readonly clock: Clock;
  /** Addresses of the cloud, each once; none: the box stands alone. */
  readonly upstreams: readonly string[];
  /** Those of them that a login goes to. */
  readonly lines: readonly string[];
  readonly trust: SecureContext;
  /** Login to try; null if the box has no key to log in with. */
  readonly login: TryLogin | null;
  /** Of the site, in which times and days are shown. */
  readonly timeZone: string;
  readonly dataDir: string;
  /** `store.files`; null: none. */
  readonly files: string | null;
  readonly environment: 'test' | 'production';
  /** PEM; null: not made yet. */
  readonly certificate: string | null;
  /** `tls.legacy_suites`. */
  readonly hasLegacySuites: boolean;
  /** Health of the disk; null if the box does not run. */
  readonly health: (() => DiskHealth) | null;
  /** Ids that two devices use; null: the box does not run. */
  readonly usedTwice: (() => readonly UsedTwice[]) | null;
  /** Facts about backups; null if the box does not run, and in a region. */
  readonly backups: (() => Promise<BackupFacts>) | null;
  readonly radios: () => Promise<Readonly<Record<'bluetooth' | 'wifi', RadioState>>>;
}

/**
 * Check by check, as each is done. `network`: the way to the cloud and the clock; `all`: the
 * machine too.
 */
export async function* examine(what: DoctorRun, options: DoctorOptions): AsyncGenerator<Check> {
  if (what === 'all') yield* machine(options);
  yield* network(options);
}

async function* machine(options: DoctorOptions): AsyncGenerator<Check> {
  const { clock, timeZone, certificate, hasLegacySuites, dataDir, environment, health } = options;
  const { files, usedTwice, backups, radios } = options;
  if (certificate !== null)
    yield await check('certificate', '', clock, () => certificateCheck(certificate, clock.now(), timeZone));
  if (hasLegacySuites) yield await check('suites', '', clock, () => ({ state: 'warn', ...found('suites_legacy') }));
  yield await check('disk', '', clock, () => diskCheck(dataDir, environment, health?.() ?? null));
  if (files !== null) yield await check('files', '', clock, () => filesCheck(files));
  const flush = flushFinding(dataDir);
  if (flush) yield await check('disk', '', clock, () => flush);
  for (const one of usedTwice?.() ?? [])
    yield await check('devices', '', clock, () => ({ state: 'warn', ...found('devices_used_twice', one) }));
  if (backups) yield* backupChecks(await backups(), clock);
  const radio = await radios();
  yield await check('bluetooth', '', clock, () => radioCheck('bluetooth', radio.bluetooth));
  yield await check('wifi', '', clock, () => radioCheck('wifi', radio.wifi));
  for (const [name, look] of applianceChecks()) yield await check(name, '', clock, look);
}

async function* backupChecks(facts: BackupFacts, clock: Clock): AsyncGenerator<Check> {
  if (facts.targets.length === 0) yield await check('backup', '', clock, () => noTargetFinding(facts));
  for (const target of facts.targets)
    yield await check('backup', target.name, clock, () => targetFinding(target, facts, clock.now()));
}

const isOwnMachine = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/**
 * Each link is tried if the one before it held; those after a broken link are reported as not
 * tried.
 */
async function* network(options: DoctorOptions): AsyncGenerator<Check> {
  const { clock, timeZone, trust, upstreams, lines, login } = options;
  const places = upstreams.map(placeOf);
  // A cloud on this very machine (a test, a demo) needs neither address nor gateway; a box that
  // stands alone needs no gateway.
  const near = places.every(({ host }) => isOwnMachine(host));
  const address = await check('address', '', clock, () => softer(addressCheck(), near && places.length > 0));
  yield address;
  let broken: CheckName | null = address.state === 'failed' ? 'address' : null;
  const gateway = broken
    ? skipped('gateway', '', broken)
    : await check('gateway', '', clock, () => softer(gatewayCheck(), near));
  yield gateway;
  // A cloud in the same network is reached without a gateway, so the connection is tried anyway;
  // but the missing gateway is reported first.
  if (gateway.state === 'failed' && !places.some(({ host }) => isPrivate(host))) broken ??= 'gateway';
  const answering: string[] = [];
  /** One way to the cloud is enough to log in. */
  let lineStands = false;
  let brokenLine: CheckName = broken ?? 'tcp';
  for (const place of places) {
    const links: readonly (readonly [CheckName, () => ReturnType<typeof dnsCheck>])[] = [
      ['dns', () => dnsCheck(place, clock)],
      ['tcp', () => tcpCheck(place, clock)],
      ...(place.tls ? [['tls', () => tlsCheck(place, { trust, timeZone }, clock)] as const] : []),
    ];
    let brokenHere: CheckName | null = broken;
    for (const [name, look] of links) {
      const done: Check = brokenHere ? skipped(name, place.url, brokenHere) : await check(name, place.url, clock, look);
      yield done;
      if (done.state === 'failed') brokenHere = name;
      if (name === 'tcp' && done.state === 'ok') answering.push(place.url);
    }
    if (!place.tls && !isOwnMachine(place.host)) yield await check('tls', place.url, clock, () => notEncrypted(place));
    if (!lines.includes(place.url)) continue;
    if (brokenHere === null) lineStands = true;
    else brokenLine = brokenHere;
  }
  if (login && lines.length > 0)
    yield lineStands ? await check('login', '', clock, () => loginCheck(login)) : skipped('login', '', brokenLine);
  yield await check('clock', '', clock, () =>
    clockCheck(
      clock,
      answering.filter(url => url.startsWith('http')),
      timeZone,
    ),
  );
}

const isPrivate = (host: string): boolean => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|127\.)/.test(host);

const softer = <T extends { readonly state: string }>(finding: T, near: boolean): T =>
  near && finding.state === 'failed' ? { ...finding, state: 'warn' } : finding;

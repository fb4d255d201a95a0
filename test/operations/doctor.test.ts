import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noTargetFinding, targetFinding } from '../../src/operations/doctor/backups.ts';
import { clockCheck } from '../../src/operations/doctor/clock.ts';
import { certificateCheck, radioCheck } from '../../src/operations/doctor/machine.ts';
import { addressCheck, gatewayCheck } from '../../src/operations/doctor/near.ts';
import { loginCheck, placeOf } from '../../src/operations/doctor/upstream.ts';
import { openCertificates } from '../../src/operations/index.ts';
import { licences } from '../../src/runtime/licences.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { targetFailures } from '../../src/words/backup-targets.ts';
import { checkRemedies, type Found, remedyOf } from '../../src/words/checks.ts';
import { inChinese, noWhy, type Why, whyOf } from '../../src/words/sentences.ts';
import { HandClock } from '../support/clock.ts';

const one = (address: string, internal = false) => [{ address, internal }] as never;

test('only an address that others reach counts', () => {
  expect(addressCheck({ lo: one('127.0.0.1', true), eth0: one('192.0.2.4') })).toMatchObject({
    state: 'ok',
    message: 'at eth0 192.0.2.4',
  });
  for (const bad of ['fe80::1', '169.254.7.7'])
    expect(addressCheck({ lo: one('127.0.0.1', true), eth0: one(bad) })).toMatchObject({
      code: 'no_address',
      error: -2,
    });
});

test('the default route of /proc/net/route is read in its byte order', () => {
  const head = 'Iface\tDestination\tGateway \tFlags\n';
  const own = 'eth0\t000200C0\t00000000\t0001\n';
  expect(gatewayCheck(`${head}${own}eth0\t00000000\t010200C0\t0003\n`).message).toBe('192.0.2.1 by eth0');
  expect(gatewayCheck(`${head}${own}`)).toMatchObject({ code: 'no_gateway', error: -1 });
  expect(gatewayCheck('')).toMatchObject({ code: 'no_gateway' });
});

test('addresses of the config lead to a host and a port', () => {
  expect(placeOf('mqtts://cloud.example')).toMatchObject({ host: 'cloud.example', port: 8883, tls: true });
  expect(placeOf('https://[2001:db8::1]/api')).toMatchObject({ host: '2001:db8::1', port: 443, tls: true });
  expect(placeOf('http://127.0.0.1:8080')).toMatchObject({ host: '127.0.0.1', port: 8080, tls: false });
});

test.each([
  [0, 'ok', 'clock'],
  [50_000, 'ok', 'clock'],
  [90_000, 'failed', 'clock_ahead'],
  [-90_000, 'failed', 'clock_behind'],
])('a clock that is %i ms off is %s', async (off, state, code) => {
  const server = createServer((_request, answer) => answer.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = new HandClock(realClock.now() + off);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await clockCheck(clock, [url], 'UTC')).toMatchObject({ state, code });
  server.close();
});

test('a clock that died is wrong whatever anybody else says', async () => {
  const found = await clockCheck(new HandClock(Date.UTC(2000, 0, 1)), [], 'UTC');
  expect(found).toMatchObject({ state: 'failed', code: 'clock_wild', message: 'the clock says 2000-01-01' });
});

test('what the cloud answers to a login is said in the words of SPEC 7.6', async () => {
  expect(await loginCheck(async () => 'accepted')).toMatchObject({ state: 'ok' });
  expect(await loginCheck(async () => 'refused')).toMatchObject({
    error: 3,
    message: expect.stringContaining('refused'),
  });
  expect(await loginCheck(async () => 'unreachable')).toMatchObject({ error: 2 });
});

test('the certificate is looked at before it ends', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-doctor-'));
  const options = { dir, names: ['box'], addresses: [], clock: realClock, log: silentLog };
  await using certificates = await openCertificates(options);
  const { cert } = certificates.current();
  const now = realClock.now();
  const day = 24 * 3600_000;
  expect(certificateCheck(cert, now, 'UTC')).toMatchObject({ state: 'ok' });
  expect(certificateCheck(cert, now + 390 * day, 'UTC')).toMatchObject({ state: 'warn', code: 'certificate_ends' });
  expect(certificateCheck(cert, now + 400 * day, 'UTC')).toMatchObject({ state: 'failed', code: 'certificate_ended' });
  expect(certificateCheck(cert, Date.UTC(1999, 0, 1), 'UTC')).toMatchObject({
    state: 'failed',
    code: 'certificate_early',
  });
  await rm(dir, { recursive: true });
});

test('a radio that the config wants and the machine has not is said with the package that brings it', () => {
  expect(radioCheck('bluetooth', 'no_service')).toMatchObject({ remedy: expect.stringContaining('package bluez') });
  expect(radioCheck('wifi', 'no_adapter')).toMatchObject({ state: 'failed', message: 'NetworkManager has no adapter' });
  expect(radioCheck('wifi', 'off')).toMatchObject({ state: 'ok' });
});

test('every package that the program carries is in the list of licences', () => {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const listed = licences.map(part => part.name);
  expect(Object.keys(dependencies).filter(name => !listed.includes(name))).toEqual([]);
});

test('backups: no target, one that does not answer, a failed run or restore, and one that is too old are told apart', async () => {
  expect(noTargetFinding({ lastAt: null, tooOldMs: 1, timeZone: 'Asia/Shanghai', targets: [] })).toMatchObject({
    state: 'warn',
    message: 'no target is set: no backup is made by schedule; none was made by hand',
  });
  const now = Date.UTC(2026, 10, 23, 12);
  const good = {
    ...{ name: 'sftp', where: 'nas.example:backups', lastGoodAt: Date.UTC(2026, 10, 23, 2, 30), lastFailure: null },
    restoreTried: { at: Date.UTC(2026, 10, 1, 2, 31), ...noWhy },
    answers: async () => null as Why | null,
  };
  const day = 86_400_000;
  const found = (change: Partial<typeof good> | { lastFailure: Why }) =>
    targetFinding({ ...good, ...change } as never, { tooOldMs: day, timeZone: 'Asia/Shanghai' }, now);
  expect(await found({})).toMatchObject({
    ...{ state: 'ok', code: 'backup' },
    message:
      'nas.example:backups answers; the last good one was made 2026-11-23 10:30:00 +08:00, a restore was tried 2026-11-01 10:31:00 +08:00',
  });
  const full = whyOf(targetFailures.say('full', { at: '/mnt/stick', detail: 'ENOSPC' }));
  const remedy = '/mnt/stick is full (ENOSPC): make room there, keep fewer backups, or use a larger one';
  const remedyInChinese = '原因：/mnt/stick 空间已满（ENOSPC），请清理，减少保留的备份，或换更大的存储。';
  for (const [code, change] of Object.entries({
    backup_target: { answers: async () => full },
    backup_failed: { lastFailure: full },
    backup_restore: { restoreTried: { at: now, ...full } },
  })) {
    const finding = await found(change);
    expect(finding).toMatchObject({ state: 'failed', code, remedy });
    expect(inChinese(remedyOf(finding as Found), checkRemedies)).toBe(remedyInChinese);
  }
  expect(await found({ lastGoodAt: now - day - 1 })).toMatchObject({ state: 'warn', code: 'backup_old' });
  expect(await found({ lastGoodAt: null as never, restoreTried: null as never })).toMatchObject({
    ...{ state: 'warn', message: 'nas.example:backups answers; no good one yet, no restore was tried' },
  });
});

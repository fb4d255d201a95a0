import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { aCertificate } from '../support/certificate.ts';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

/** The connection, and the certificate that it was offered. */
async function connected(address: string): Promise<{ socket: TLSSocket; serial: string }> {
  const [host, port] = address.split(':');
  const socket = connect({ host: host!, port: Number(port), rejectUnauthorized: false });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return { socket, serial: socket.getPeerX509Certificate()!.serialNumber };
}

test('SIGHUP takes replaced certificates without cutting a connection; no signal opens the inspector or ends the box', async () => {
  const [first, second] = [await aCertificate(), await aCertificate()];
  await using box = await BoxProcess.make({ tls: { cert: 'own.pem', key: 'own.key' } }, {});
  const write = ({ cert, key }: typeof first) => {
    writeFileSync(join(box.folder, 'own.pem'), cert);
    writeFileSync(join(box.folder, 'own.key'), key);
  };
  write(first);
  const { mqtts } = await box.start();
  const { socket: before, serial } = await connected(mqtts!);

  write(second);
  process.kill(box.pid, 'SIGHUP');
  await until('the new certificate is served', async () => {
    const { socket, serial: now } = await connected(mqtts!);
    socket.destroy();
    return now !== serial;
  });

  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) process.kill(box.pid, signal);
  // An answer of the box: it has had its signals by then.
  expect(await box.ask('status')).toMatch(/^box +running/m);
  expect(box.stderr).not.toContain('Debugger');
  expect(box.alive).toBe(true);
  expect(before.destroyed).toBe(false);
  before.destroy();
  expect(await box.stop()).toBe(0);
});

test('SIGHUP does not end a box whose program is still being loaded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-loading-'));
  try {
    const start = join(folder, 'gatehouse.mjs');
    copyFileSync(new URL('../../dist/gatehouse.js', import.meta.url), start);
    // In place of the commands: the signal comes while they are read, and again when they run.
    writeFileSync(
      join(folder, 'commands.cjs'),
      `(function (exports) {
         process.kill(process.pid, 'SIGHUP');
         exports.main = () => new Promise(resolve => {
           process.stdin.resume();
           process.once('SIGHUP', () => { process.stdin.destroy(); resolve(7); });
         });
       })`,
    );
    expect(await once(spawn(process.execPath, [start, 'serve']), 'exit')).toEqual([7, null]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { aCloud, trustOf, upstreamTo } from '../support/cloud.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const deviceId = 'FACE-T1_A0001';
const zone = 'Asia/Shanghai';
const dayOf = (at: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);

/** Check-ins that the device numbers, in one message. */
function numbered(from: number, to: number, at: number): string {
  const records = Array.from({ length: to - from + 1 }, (_, index) => ({
    ...{ id: String(from + index), ext_id: 'e1', check_type: 'fa', check_time: at },
  }));
  return JSON.stringify({ mid: `n${from}`, from: deviceId, to: 'system', time: at, action: 2001, data: { records } });
}

test('a device says 412, the line is cut, the box is killed: said 412, box 412, cloud 409, 3 wait; then a past file is changed', async () => {
  await using cloud = await aCloud();
  await using box = await BoxProcess.start({ site: { timezone: zone }, upstream: upstreamTo(cloud) }, aSite());
  await using terminal = await speaking(box);
  const now = Date.now();
  const at = Math.floor(now / 1000);
  const today = dayOf(now);
  const say = (from: number, to: number) => terminal.client.publishAsync('device', numbered(from, to, at), { qos: 1 });
  await say(1, 409);
  await until('the cloud has them', async () => JSON.parse(await box.ask('status', '--json')).outbox.waiting === 0);
  await cloud.cloud.cut();
  await say(410, 412);
  await box.kill9();
  await box.start();

  const ofToday = async () => JSON.parse(await box.ask('statement', '--day', today, '--device', deviceId, '--json'));
  const { devices } = await ofToday();
  expect(devices[0]).toMatchObject({
    hash: null,
    statement: { said: 412, said_by: 'its numbers', box: 412, missing: 0, cloud: 409, waiting: 3 },
  });
  const sheet = await box.ask('statement', '--day', today, '--device', deviceId.toLowerCase());
  expect(sheet).toMatch(/said by the device +412 +numbers 1–412, gaps: none/);
  expect(sheet).toMatch(/carried forward: 3 waiting/);

  const { ledger } = JSON.parse(await box.ask('status', '--device', deviceId, '--json'));
  const receipt = await box.ask('receipt', String(ledger[0].seq));
  expect(receipt).toMatch(/^on the disk +received .*, committed and synced as number \d+$/m);
  expect(receipt).toMatch(/^acknowledged +after the commit, never before; the moment is not kept$/m);
  expect(receipt).toMatch(/^at the cloud +waits here$/m);
  expect(await box.ask('receipt', String(ledger.at(-1).seq))).toMatch(/^at the cloud +confirmed .* over mqtt$/m);

  // The device has been here for three days: two of them are over, and are stated after the start.
  await box.stop();
  const database = new DatabaseSync(join(box.dataDir, 'gatehouse.db'));
  database.prepare('UPDATE device SET first_seen_at = ?').run(now - 2 * 24 * 3600_000);
  database.close();
  await box.start();
  await until('two days are stated', async () => JSON.parse(await box.ask('status', '--json')).statement?.no === 2);
  expect(await box.ask('statement', 'verify')).toMatch(/^the statements hold: none was changed or removed$/m);
  const { statement } = JSON.parse(await box.ask('status', '--json'));
  expect((await box.run('statement', 'verify', '--head', statement.hash)).status).toBe(0);
  expect((await box.run('statement', 'verify', '--head', '0'.repeat(64))).status).toBe(1);

  await box.stop();
  const past = dayOf(now - 2 * 24 * 3600_000);
  const file = join(box.dataDir, 'statements', `${past}.ndjson`);
  const written = await readFile(file, 'utf8');
  await writeFile(file, written.replace('"waiting":0', '"waiting":1'));
  const broken = await box.run('statement', 'verify');
  expect(broken.status).toBe(1);
  expect(broken.stdout).toContain(`the statements do NOT hold from ${past} on`);
});

async function speaking(box: BoxProcess): Promise<MqttTerminal & AsyncDisposable> {
  const ca = await trustOf(box.dataDir);
  const terminal = new MqttTerminal({ deviceId, key: productKey }, `mqtts://${box.addresses.mqtts}`, { ca });
  return Object.assign(terminal, { [Symbol.asyncDispose]: () => terminal.end() });
}

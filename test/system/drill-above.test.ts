import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DrillReport, TerminalsResultReport } from '../../src/admin/index.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const boxKey = 'key-of-the-lower-box';
const boxId = 'GATEHOUSE_000002';
const [deviceId, missing] = deviceIds(2) as [string, string];

test('the results of drills go to the box above as logs of the box below, also those from a cut line', async () => {
  const ownProduct = { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' };
  const products = [...aSite().products, ownProduct];
  await using above = await BoxProcess.start({}, { products, boxes: [{ box_id: boxId }] });
  await using below = await BoxProcess.start(
    {
      box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
      upstream: {
        mode: 'batch',
        device_http: `https://127.0.0.1:${above.port('https')}`,
        ca: `file:${join(above.dataDir, 'tls', 'ca.pem')}`,
      },
    },
    { ...aSite(), devices: [{ device_id: deviceId }, { device_id: missing }] },
  );
  const report = async () => JSON.parse(await below.ask('drill', '--json')) as DrillReport;
  const logsAbove = async () =>
    (await above.export<{ device_id: string; text: string }>('logs'))
      .filter(({ device_id }) => device_id === boxId)
      .map(({ text }) => JSON.parse(text));
  const terminal = new MqttTerminal({ deviceId, key: productKey }, `mqtts://${below.addresses.mqtts}`, {
    ca: await readFile(join(below.dataDir, 'tls', 'ca.pem')),
  });
  try {
    const watching = below.run('drill', 'terminals', '--json');
    await until('it has begun', async () => (await report()).terminals.now !== null);
    await terminal.say('device');
    await until('the box above has confirmed it', async () => (await report()).terminals.now?.done === 1);
    await below.ask('drill', 'terminals', '--end').catch(() => {});
    const result = JSON.parse((await watching).stdout) as TerminalsResultReport;
    const { punched_at, received_at, stored_at, sent_at, confirmed_at } = result.terminals.at(-1)!;
    const hops = [received_at, stored_at, sent_at, confirmed_at] as number[];
    expect(hops).toEqual(hops.toSorted((one, other) => one - other));
    expect(punched_at).toBeGreaterThan(0);
    await until('its result is above', async () => (await logsAbove()).length === 1);
    expect(await logsAbove()).toMatchObject([
      {
        ...{ event: 'drill', kind: 'terminals', id: result.id, outcome: 'failed', known: 2, done: 1 },
        terminals: [
          { device_id: missing, state: 'never' },
          { device_id: deviceId, state: 'confirmed', confirmed_at },
        ],
      },
    ]);

    const cutting = below.run('drill', 'line', '--minutes', '5', '--json');
    await until('it is cut', async () => (await report()).line.now !== null);
    await terminal.say('device');
    await below.ask('drill', 'line', '--end').catch(() => {});
    await cutting;
    await until('its result is above', async () => (await logsAbove()).length === 2);
    expect((await logsAbove())[1]).toMatchObject({
      ...{ kind: 'line', outcome: 'passed' },
      devices: [{ device_id: deviceId, said: 1, stored: 1, confirmed: 1 }],
    });
    const { sent_up } = await report();
    expect(sent_up?.map(({ id, refused }) => [id, refused])).toEqual([
      [result.id, ''],
      [expect.any(String), ''],
    ]);
    // A box that has no box above keeps its results.
    expect((JSON.parse(await above.ask('drill', '--json')) as DrillReport).sent_up).toBeNull();
  } finally {
    await terminal.end();
  }
});

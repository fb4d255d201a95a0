import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DrillReport, TerminalsResultReport } from '../../src/admin/index.ts';
import { aBox } from '../support/box.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const [deviceId] = deviceIds(1) as [string];

test('the command ticks off each terminal whose punch the cloud has confirmed, and names those that are missing', async () => {
  await using cloud = await aCloud({ limits: false });
  const devices = [{ device_id: deviceId, name: 'Gate 1' }, { device_id: 'FACE-T1_Z9999' }];
  await using box = await aBox({ upstream: upstreamTo(cloud) }, { ...aSite(), devices });
  const terminal = new MqttTerminal({ deviceId, key: productKey }, `mqtts://${box.addresses.mqtts}`, {
    ca: await readFile(join(box.dataDir, 'tls', 'ca.pem')),
  });
  const report = async () => (JSON.parse(await box.ask('drill', '--json')) as DrillReport).terminals;
  try {
    await terminal.say('device');
    const watching = box.run('drill', 'terminals');
    await until('it has begun', async () => (await report()).now !== null);
    await terminal.say('device');
    await until('one is done', async () => (await report()).now?.done === 1);
    const ending = box.run('drill', 'terminals', '--end', '--json');
    const { status, stdout } = await watching;
    expect(status).toBe(1);
    expect(stdout).toContain('The drill watches 2 terminals until');
    expect(stdout).toContain('1 of 2 terminals are done; the others are named.');
    expect(stdout).toMatch(/^FACE-T1_Z9999 +never heard of$/m);
    expect(stdout).toMatch(
      new RegExp(`^${deviceId} Gate 1 .*confirmed by the cloud.*on the disk \\+\\d+ ms, sent`, 'm'),
    );
    const result = JSON.parse((await ending).stdout) as TerminalsResultReport;
    expect(result).toMatchObject({ outcome: 'failed', has_cloud: true, known: 2, done: 1, punched: 0 });
    expect((await report()).results).toMatchObject([{ id: result.id }]);
    expect(await box.run('drill', 'terminals', '--end')).toMatchObject({ status: 1, stdout: '' });
  } finally {
    await terminal.end();
  }
});

test('a box that knows no terminal has none to watch', async () => {
  await using box = await aBox({}, {});
  expect(await box.run('drill', 'terminals')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no terminal is known to this box'),
  });
});

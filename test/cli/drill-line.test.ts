import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { BoxStatus, LineResultReport } from '../../src/admin/index.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const program = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));
const [deviceId] = deviceIds(1) as [string];

test('the line is cut and let go, also by a box that was killed meanwhile, and each device has its figures', async () => {
  await using cloud = await aCloud({ limits: false });
  await using box = await BoxProcess.start({ upstream: upstreamTo(cloud) }, aSite());
  const terminal = new MqttTerminal({ deviceId, key: productKey }, `mqtts://${box.addresses.mqtts}`, {
    ca: await readFile(join(box.dataDir, 'tls', 'ca.pem')),
  });
  try {
    await terminal.say('device');
    const status = async () => JSON.parse(await box.ask('status', '--json')) as BoxStatus;
    await until('it is confirmed', async () => (await status()).outbox.waiting === 0);
    const cutting = spawn(program, ['drill', 'line', '--minutes', '5', '--data-dir', box.dataDir]);
    for await (const line of createInterface(cutting.stdout)) {
      expect(line).toContain('the line is cut until');
      break;
    }
    cutting.kill();
    await until('the line is down', async () => (await status()).line.state !== 'up');
    await terminal.say('device');
    await box.kill9();
    await box.start();
    await until('it is cut again', async () => (await status()).line.why.includes('a drill has cut the line'));
    const { status: code, stdout } = await box.run('drill', 'line', '--end', '--json');
    const result = JSON.parse(stdout) as LineResultReport;
    expect(result).toMatchObject({ outcome: 'passed', waiting: 0 });
    expect(result.devices).toMatchObject([{ device_id: deviceId }]);
    const [{ said, stored, confirmed }] = result.devices as [LineResultReport['devices'][number]];
    expect(said).toBeGreaterThanOrEqual(1);
    expect([stored, confirmed]).toEqual([said, said]);
    expect(code).toBe(0);
  } finally {
    await terminal.end();
  }
});

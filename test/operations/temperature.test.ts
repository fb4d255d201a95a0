import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boardTemperature } from '../../src/operations/temperature.ts';

test('the hottest sensor of a board counts, a broken one does not, and a board may have none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-thermal-'));
  try {
    expect(await boardTemperature(folder)).toBeNull();
    expect(await boardTemperature(join(folder, 'nowhere'))).toBeNull();
    const zones = {
      thermal_zone0: '48312\n',
      thermal_zone1: '51250\n',
      thermal_zone2: '-274000\n',
      cooling_device0: '99000\n',
    };
    for (const [zone, text] of Object.entries(zones)) {
      await mkdir(join(folder, zone));
      await writeFile(join(folder, zone, 'temp'), text);
    }
    expect(await boardTemperature(folder)).toBe(513);
  } finally {
    await rm(folder, { recursive: true });
  }
});

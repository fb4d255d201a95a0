import { expect, test } from 'vitest';
import { aCoverageFolder } from '../../support/modules-that-ran.ts';
import { BoxProcess } from '../../support/program.ts';
import { aSite, productKey } from '../../support/site.ts';
import { MqttTerminal } from '../../support/terminal.ts';

const isOfAedes = (name: string) => /aedes/.test(name);

/** A device speaks MQTT with a box of this config; which modules the box loaded for it. */
async function loadedWith(config: Record<string, unknown>): Promise<string[]> {
  await using folder = await aCoverageFolder();
  await using box = await BoxProcess.start(config, aSite(), { NODE_V8_COVERAGE: folder.path });
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const identity = { deviceId: 'FACE-T1_L0001', key: productKey };
  const terminal = new MqttTerminal(identity, `mqtts://127.0.0.1:${box.port('mqtts')}`, { ca });
  const { mid } = await terminal.say('device');
  await terminal.say('log');
  await terminal.end();
  expect(await box.export('checkins')).toMatchObject([
    { device_id: identity.deviceId, ext_id: mid.replace(/^.*-/, 'p') },
  ]);
  expect(await box.stop(), box.stderr).toBe(0);
  return folder.modulesThatRan();
}

test('a box serves devices over MQTT without loading anything of aedes', async () => {
  const loaded = await loadedWith({});
  expect(loaded).toContain('src/devices/mqtt/session.ts');
  expect(loaded.filter(isOfAedes)).toEqual([]);
});

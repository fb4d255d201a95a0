import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BoxProcess } from '../../support/program.ts';
import { aSite, productKey } from '../../support/site.ts';
import { MqttTerminal } from '../../support/terminal.ts';

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { count: number }[] }[];
  }[];
}

/** The modules of the bundle that ran: each is a function that is named after its file. */
async function modulesThatRan(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const file of await readdir(folder)) {
    const { result }: Coverage = JSON.parse(await readFile(join(folder, file), 'utf8'));
    for (const { functions } of result)
      for (const { functionName, ranges } of functions)
        if (functionName.includes('/') && ranges[0]!.count > 0) names.push(functionName);
  }
  return names;
}

const isOfAedes = (name: string) => /aedes/.test(name);

/** A device speaks MQTT with a box of this config; which modules the box loaded for it. */
async function loadedWith(config: Record<string, unknown>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-coverage-'));
  try {
    await using box = await BoxProcess.start(config, aSite(), { NODE_V8_COVERAGE: folder });
    const ca = await box.ask('trust', 'export', '--edition', 'slim');
    const identity = { deviceId: 'FACE-T1_L0001', key: productKey };
    const terminal = new MqttTerminal(identity, `mqtts://127.0.0.1:${box.port('mqtts')}`, { ca });
    const { mid } = await terminal.say('device');
    await terminal.say('log');
    await terminal.end();
    expect(await box.export('checkins')).toMatchObject([
      { device_id: identity.deviceId, ext_id: mid.replace(/^.*-/, 'p') },
    ]);
    await box.stop();
    return await modulesThatRan(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a box serves devices over MQTT without loading anything of aedes', async () => {
  const loaded = await loadedWith({});
  expect(loaded).toContain('src/devices/mqtt/session.ts');
  expect(loaded.filter(isOfAedes)).toEqual([]);
});

test('with listen.mqtt_engine aedes it serves them with aedes', async () => {
  const loaded = await loadedWith({ listen: { mqtt_engine: 'aedes' } });
  expect(loaded.filter(isOfAedes)).toContain('node_modules/aedes/aedes.js');
});

import { expect, test } from 'vitest';
import { Discovery } from '../../src/events/discovery.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { HandClock } from '../support/clock.ts';

test('a device that goes is removed, and one that is renamed is said once more', async () => {
  const clock = new HandClock();
  let devices = [
    { deviceId: 'FACE-T1_A0001', productId: 'FACE-T1', name: 'Gate 1' },
    { deviceId: 'FACE-T1_A0002', productId: 'FACE-T1', name: 'Gate 2' },
  ];
  const said: string[] = [];
  await using _running = new Discovery({
    clock,
    log: silentLog,
    store: { directory: { devices: () => devices, product: () => undefined } } as never,
    facts: () => ({
      ...{ boxId: 'B_1', serialNumber: '1', model: 'GH1', version: '1', site: 'Plant 4', url: null },
      language: 'en',
    }),
    publish: async (topic, payload, { retain }) => {
      const name = payload === '' ? 'gone' : JSON.parse(payload).device.name;
      said.push(`${topic.split('_').at(-1)!.split('/')[0]} ${name} ${retain}`);
    },
  });
  await clock.advance(0);
  expect(said.splice(0)).toEqual(['1 Plant 4 true', 'A0001 Gate 1 true', 'A0002 Gate 2 true']);
  devices = [{ ...devices[0]!, name: 'Gate 3' }];
  await clock.advance(5000);
  expect(said.splice(0)).toEqual(['A0001 Gate 3 true', 'A0002 gone true']);
  await clock.advance(60_000);
  expect(said).toEqual([]);
});

import { expect, test } from 'vitest';
import { receiptsResource } from '../../src/admin/receipts.ts';
import { aProduct, append, applied, aStore, deviceId } from '../support/store.ts';

const at = 1_763_600_000_000;

test('a record that came through a box below says which, and that it answered the device', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const [here, below] = ['FACE-T1_A0001', 'FACE-T1_B0001'] as const;
  await applied(store, {
    products: [aProduct()],
    devices: [{ device_id: here }, { device_id: below }],
    boxes: [{ box_id: 'GATEHOUSE_000002', devices: [below] }],
  });
  const say = async (id: string) => {
    const { deviceNo } = store.directory.device(deviceId(id))!;
    const payload = Buffer.from(
      JSON.stringify({ mid: 'm1', from: id, to: 'system', time: at / 1000, action: 9, data: {} }),
    );
    await append(store, {
      deviceNo,
      channel: 'device',
      receivedAt: at,
      logPath: '',
      marks: { clamped: id === below },
      payload,
    });
    return store.journal.lastSeq;
  };
  const { receipt } = receiptsResource.running({ store });
  expect(await receipt({ seq: await say(here) })).toMatchObject({
    ...{ device_id: here, acknowledged: 'after its commit', box_below: null },
    on_disk: { received_at: at, clamped: false, in_journal: true },
    at_cloud: { state: 'waiting' },
  });
  expect(await receipt({ seq: await say(below) })).toMatchObject({
    ...{ device_id: below, acknowledged: 'by the box below', box_below: 'GATEHOUSE_000002' },
    on_disk: { clamped: true },
  });
  await expect(receipt({ seq: 99 })).rejects.toThrow('there is no such record');
});

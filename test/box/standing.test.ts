import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BoxStatus } from '../../src/admin/index.ts';
import { connectAdmin } from '../../src/admin-client/index.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { LocalBox } from '../support/box.ts';

const site = {
  products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' }],
};

const kindsOf = async (box: LocalBox): Promise<string[]> => {
  const { standing } = JSON.parse(await box.ask('status', '--json')) as BoxStatus;
  return standing!.map(({ kind }) => kind);
};

test('a new box wants a device, its zone, a recovery key and a backup, and each goes with the deed', async () => {
  await using box = await LocalBox.make({ listen: { metrics: '127.0.0.1:0' } }, site);
  await box.start();
  const metric = async (name: string) => {
    const text = await (await fetch(`http://${box.addresses.metrics}/metrics`)).text();
    return Number(new RegExp(`^gatehouse_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  // The clock of a test machine is set by whoever runs it.
  const atFirst = (await kindsOf(box)).filter(kind => kind !== 'box_clock');
  expect(atFirst).toEqual(['no_device', 'zone', 'recovery_key', 'no_backup']);
  expect(await box.ask('status')).toMatch(/^todo {5}No device is set up yet\. Set up the first device\.$/m);
  expect(await metric('standing{kind="recovery_key"}')).toBe(1);

  await using admin = (await connectAdmin(box.dataDir))!;
  const key = await admin.post('/recovery-key');
  expect(await kindsOf(box)).toContain('recovery_key');
  expect(await box.ask('status')).toMatch(/^todo {5}Recovery key not confirmed\. /m);
  await admin.post('/recovery-key/kept', { recipient: key.recipient });
  await box.ask('backup', join(box.folder, 'backup.age'));
  expect((await kindsOf(box)).filter(kind => kind !== 'box_clock')).toEqual(['no_device', 'zone']);
  expect(await metric('standing{kind="recovery_key"}')).toBe(0);

  const another = await admin.post('/recovery-key');
  expect(await kindsOf(box)).toContain('recovery_key');
  await expect(admin.post('/recovery-key/kept', { recipient: key.recipient })).rejects.toThrow(
    'not that of the present',
  );
  expect(another.recipient).not.toBe(key.recipient);
});

test('a daily report that was given up is told of while its entry is there', async () => {
  await using box = await LocalBox.make({ attendance: { daily_reports: [{ name: 'Halls', channel: 'mail' }] } }, site);
  await box.start();
  const { store } = box.opened;
  const givenUp = (name: string) =>
    store.write.noteDailyReport({
      ...{ name, day: '2026-12-01', state: 'given_up', at: realClock.now(), attempts: 12 },
      ...{ why: 'no answer in 120 s' },
    });
  await givenUp('of a config from before');
  expect(await kindsOf(box)).not.toContain('daily_report');
  await givenUp('Halls');
  expect(await box.ask('status')).toContain('Daily attendance report "Halls" not delivered');
  expect(await kindsOf(box)).toContain('daily_report');
});

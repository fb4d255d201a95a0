import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deviceIds } from './site.ts';

const folder = join(import.meta.dirname, '../updates/releases');

/** A release's store and config (`npm run release-fixture`). */
export const fixtureOf = (release: string): string => join(folder, release);

/** Releases that have left a fixture. */
export const releasesWithFixture = (): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);

/** Production refuses the key of the other tests. */
export const productKey = 'key-of-the-terminals-of-plant-4';

/** Devices that had their say before the update. */
export const oldDevices = deviceIds(3).map(deviceId => deviceId.replace('_A', '_F'));

export const fixtureSite = {
  products: [{ product_id: 'FACE-T1', product_key: productKey, name: 'Face terminal', model: 'FT1', access: 'both' }],
  devices: [{ device_id: oldDevices[0], name: 'North gate' }],
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
  ],
  employees: [
    { ext_id: 'p1', name: 'Li Mei', employee_num: '1001', department: { ext_id: 'd1', title: 'Fitter' } },
    { ext_id: 'p2', name: '王芳', mobile: '13800000000', employee_num: '1002', department: { ext_id: '0' } },
  ],
  shifts: [
    { code: 'day', name: 'Day', times: ['09:00-18:00'], breaks: ['12:00-13:00'], late_grace: 5, early_grace: 5 },
    { code: 'night', name: 'Night', times: ['22:00-06:00'] },
  ],
  schedules: [
    { who: 'site', shift: 'day', from: '2026-11-01' },
    { who: { department: 'd1' }, cycle: ['night', 'night', 'off', 'off'], from: '2026-11-16' },
  ],
  calendar: [{ date: '2026-12-24', what: 'rest', reason: 'Company holiday' }],
};

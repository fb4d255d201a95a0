import type { Page } from 'playwright-core';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { staff } from '../../tools/sim/device/people.ts';
import { startSimDevices } from '../../tools/sim/index.ts';
import { BoxProcess } from './program.ts';

export const adminPassword = 'a-long-enough-password';
/** Of `adminPassword`, by 64 KiB and one pass: a real one costs each box a tenth of a second. */
const passwordHash = '$argon2id$v=19$m=64,t=1,p=1$b2YtZXZlcnktdWktdGVzdA$fmuBoJBXwpdx9zT0I6kIeettjpAduTfcsLb6RbruK90';

/** A box as a process, with a product, people, and an admin `mei`. */
export async function aUiBox(
  config: Record<string, unknown> = {},
  site: Record<string, unknown> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<BoxProcess> {
  return BoxProcess.start(
    { site: { name: 'Plant 4', locale: 'en' }, ...config },
    {
      products: [
        {
          product_id: 'FACE-T1',
          product_key: 'key-of-the-product',
          name: 'Face terminal',
          model: 'FT1',
          access: 'both',
        },
      ],
      users: [
        { name: 'mei', password_hash: passwordHash, role: 'admin' },
        { name: 'li', password_hash: passwordHash, role: 'viewer' },
        { name: 'wang', password_hash: passwordHash, role: 'staff' },
      ],
      departments: [
        { ext_id: '0', name: 'Plant 4' },
        { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
      ],
      employees: staff(20).map(({ extId, name, employeeNum }) => ({
        ext_id: extId,
        name,
        mobile: '',
        employee_num: employeeNum,
        department: { ext_id: 'd1', title: 'Fitter' },
      })),
      ...site,
    },
    env,
  );
}

/** Fills in the page that signs in, as one of the users above; the next page is on its way. */
export async function enterAs(name: string, page: Page): Promise<void> {
  await page.locator('input[name=name]').fill(name);
  await page.locator('input[name=password]').fill(adminPassword);
  await page.locator('button[type=submit]').click();
}

export const urlOf = (box: BoxProcess): string => `https://${box.addresses.https}`;

/** Simulated terminals at the box; stopped by `stop()`. */
export const terminalsAt = async (box: BoxProcess, more: Partial<Parameters<typeof startSimDevices>[0]> = {}) =>
  startSimDevices({
    clock: realClock,
    random: realRandom,
    url: `mqtts://${box.addresses.mqtts}`,
    ca: await box.ask('trust', 'export', '--edition', 'slim'),
    product: 'FACE-T1',
    productKey: 'key-of-the-product',
    model: 'FT1',
    count: 2,
    people: 20,
    rate: 2,
    ...more,
  });

import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { staff } from '../src/sim/device/people.ts';
import { TestBrowser } from '../test/support/browser.ts';
import { BoxProcess } from '../test/support/program.ts';
import { adminPassword, terminalsAt, urlOf } from '../test/support/ui-box.ts';
import { until } from '../test/support/until.ts';

/**
 * `npm run pictures`: the pictures of the README and the manual, in both languages, from a box with
 * simulated terminals. Needs Chromium and fonts for Chinese.
 */
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const shown = [
  ['today', '/'],
  ['attendance', '/attendance'],
  ['devices', '/devices'],
  ['device', '/devices/FACE-T1_A0001'],
  ['people', '/people'],
  ['sync', '/sync'],
  ['system', '/system'],
] as const;

await mkdir(folder, { recursive: true });
await using browser = await TestBrowser.open();
for (const language of ['en', 'zh'] as const) {
  const chinese = language === 'zh';
  await using box = await BoxProcess.start(
    { site: { name: chinese ? '四号厂房' : 'Plant 4', locale: chinese ? 'zh-CN' : 'en' } },
    {
      products: [
        {
          product_id: 'FACE-T1',
          product_key: 'key-of-the-product',
          name: chinese ? '人脸终端' : 'Face terminal',
          model: 'FT1',
          access: 'both',
        },
      ],
      devices: ['A0001', 'A0002', 'A0003'].map((serial, index) => ({
        device_id: `FACE-T1_${serial}`,
        name: (chinese ? ['北门', '南门', '食堂'] : ['North gate', 'South gate', 'Canteen'])[index],
      })),
      users: [{ name: 'mei', password: adminPassword, role: 'admin' }],
      departments: [
        { ext_id: '0', name: chinese ? '四号厂房' : 'Plant 4' },
        { ext_id: 'd1', name: chinese ? '装配车间' : 'Assembly', p_ext_id: '0' },
      ],
      employees: staff(20).map(({ extId, name, employeeNum }) => ({
        ext_id: extId,
        name,
        mobile: '',
        employee_num: employeeNum,
        department: { ext_id: 'd1', title: chinese ? '钳工' : 'Fitter' },
      })),
    },
  );
  const terminals = await terminalsAt(box, { count: 2, recordsMax: 40 });
  await until('they have punched', async () => (await box.export('checkins')).length >= 20, 60_000);
  const page = await browser.page(urlOf(box), { locale: chinese ? 'zh-CN' : 'en-US', width: 1100 });
  await page.goto('/');
  await page.locator('input[name=name]').fill('mei');
  await page.locator('input[name=password]').fill(adminPassword);
  await page.locator('button[type=submit]').click();
  await page.locator('.path .station').first().waitFor();
  for (const [name, path] of shown) {
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => {}); // the event stream stays open
    await page.screenshot({ path: `${folder}${name}-${language}.png`, clip: { x: 0, y: 0, width: 1100, height: 700 } });
  }
  await terminals.stop();
}

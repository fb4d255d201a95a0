import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { startSimCloud } from '../../tools/sim/index.ts';
import { AttendanceCaller } from '../support/attendance.ts';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

const caller = { app_key: 'ak1', app_secret: 'as1' };

suiteWithBrowser('a box that copies what its cloud has', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('the head of the pages and the page Sync say in words how old the copy is, in both languages', async () => {
    await using cloud = await startSimCloud({
      clock: realClock,
      random: realRandom,
      products: [],
      attendance: { attendance_callers: [caller], departments: [{ ext_id: '0', name: 'Plant 4' }] },
    });
    const url = cloud.urls.deviceHttp!;
    await using box = await aUiBox({ upstream: { attendance: { url, ...caller } } });
    await box.ask('attendance', 'sync');
    for (const { locale, copied, listed } of [
      { locale: 'en-US', copied: /^copied .+ (s|min) ago$/, listed: /check-ins as of \S+ \S+ \(.+ ago\)/ },
      { locale: 'zh-CN', copied: /^\d+ (秒|分钟)前同步$/, listed: /打卡记录截至 \S+ \S+ \(.+前\)/ },
    ] as const) {
      const page = await browser.page(urlOf(box), { locale });
      await page.goto('/sync');
      await enterAs('mei', page);
      await page.locator('.path').getByText(copied).waitFor();
      await page.getByText(listed).waitFor();
    }
  });

  test('who is missing at the cloud is listed with the time of the deletion, and staff deletes them at once', async () => {
    const employee = (ext_id: string) => ({
      ...{ ext_id, name: `Name of ${ext_id}`, mobile: '1', employee_num: ext_id },
      department: { ext_id: '0' },
    });
    await using cloud = await startSimCloud({
      ...{ clock: realClock, random: realRandom, products: [] },
      attendance: {
        attendance_callers: [caller],
        departments: [{ ext_id: '0', name: 'Plant 4' }],
        employees: [employee('e1'), employee('e2')],
      },
    });
    const url = cloud.urls.deviceHttp!;
    await using box = await aUiBox({ upstream: { attendance: { url, ...caller } } });
    await box.ask('attendance', 'sync');
    await new AttendanceCaller(url, Date.now).call('/v2.0/employee/delete', { employee_ext_id: 'e1' });
    await box.ask('attendance', 'sync');
    const page = await browser.page(urlOf(box), { locale: 'en-US' });
    await page.goto('/sync');
    await enterAs('mei', page);
    await page.getByText('Name of e1, e1').waitFor();
    await page.goto('/people');
    await page.getByText(/Not in the cloud since/).waitFor();
    await page.goto('/sync');
    await page.getByRole('button', { name: 'Delete 1 missing' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('1 deleted').waitFor();
    await page.getByText('Name of e1, e1').waitFor({ state: 'detached' });
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../src/runtime/calendar-date.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { dayOf } from '../../src/runtime/wall-time.ts';
import { axeFindings } from '../support/axe.ts';
import { patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { afternoonZone } from '../support/working-day.ts';

const timezone = afternoonZone(realClock.now());
const today = dayOf(realClock.now(), timezone).day;

const employees = ['Li Mei', 'Zhang San'].map((name, index) => ({
  ...{ ext_id: `e${index + 1}`, name, mobile: '', employee_num: `100${index + 1}`, department: { ext_id: 'd1' } },
}));

/** Nobody has come yet; it is two in the afternoon. */
const anOffice = () =>
  aUiBox(
    { site: { name: 'Plant 4', locale: 'en', timezone } },
    {
      employees,
      devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }],
      shifts: [{ code: 'day', name: 'Day', times: ['08:00-17:00'], late_grace: 5 }],
      schedules: [{ who: 'site', cycle: ['day'], anchor: '2026-01-01', from: today }],
    },
  );

const words = {
  'en-US': {
    ...{ ask: 'Request a missing check-in', time: 'Time', reason: 'Reason', go: 'Request' },
    ...{ waits: 'awaits approval', effect: 'in effect', code: 'Access code' },
    ...{ leave: 'Request leave', withdraw: 'Withdraw: Sick leave', withdrawn: 'withdrawn', kind: 'Kind' },
    ...{ before: 'Previous month', confirm: 'Confirm month', confirmed: /^Confirmed on / },
  },
  'zh-CN': {
    ...{ ask: '申请补卡', time: '时间', reason: '原因', go: '提交' },
    ...{ waits: '待审批', effect: '已生效', code: '访问码' },
    ...{ leave: '申请请假', withdraw: '撤回：病假', withdrawn: '已撤回', kind: '类型' },
    ...{ before: '上个月', confirm: '确认本月考勤', confirmed: /^已于 .* 确认$/ },
  },
} as const;

const picture = async (page: Page, name: string) => {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

/** The clerk makes codes for everybody on the list, and reads that of the first. */
async function codesOf(clerk: Page, box: BoxProcess): Promise<string> {
  await clerk.goto('/people');
  await enterAs('wang', clerk);
  for (const { name } of employees) await clerk.getByRole('checkbox', { name }).check();
  await clerk.getByRole('button', { name: 'Access codes…' }).click();
  const dialog = clerk.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make codes' }).click();
  const sheet = clerk.locator('.access-codes');
  const card = sheet.getByRole('listitem').filter({ hasText: 'Li Mei' });
  await card.getByRole('img', { name: 'Access code of Li Mei' }).waitFor();
  expect(await sheet.getByRole('listitem').count()).toBe(2);
  expect(await card.textContent()).toContain(`${urlOf(box)}/me`);
  expect(await axeFindings(clerk)).toEqual([]);
  await picture(clerk, 'access-codes');
  // On paper the cards alone.
  await clerk.emulateMedia({ media: 'print' });
  expect(await clerk.getByRole('navigation').first().isVisible()).toBe(false);
  expect(await clerk.getByRole('table').first().isVisible()).toBe(false);
  expect(await card.isVisible()).toBe(true);
  await picture(clerk, 'access-codes-printed');
  await clerk.emulateMedia({ media: 'screen' });
  const code = (await card.locator('.code').textContent())!;
  await sheet.getByRole('button', { name: 'Done' }).click();
  await sheet.waitFor({ state: 'detached' });
  return code;
}

suiteWithBrowser('my page', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test.each(['en-US', 'zh-CN'] as const)(
    'an employee scans the code and asks for a missing check-in in seven taps: %s',
    async locale => {
      await using box = await anOffice();
      const clerk = await browser.page(urlOf(box));
      const code = await codesOf(clerk, box);
      const phone = await browser.page(urlOf(box), { locale, width: 390 });
      const text = words[locale];
      let taps = 1;
      await phone.goto(`/me#${code}`);
      await phone.getByRole('heading', { name: 'Li Mei' }).waitFor();
      expect(phone.url()).toBe(`${urlOf(box)}/me`);
      expect(await axeFindings(phone)).toEqual([]);
      expect(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const day = phone.locator('.my-days > li').filter({ hasText: today.slice(5) });
      const tap = async (name: string) => {
        taps++;
        await phone.getByRole('button', { name, exact: true }).last().click();
      };
      taps++;
      await day.getByRole('button').first().click();
      await tap(text.ask);
      taps += 2;
      await phone.getByRole('textbox', { name: text.time, exact: true }).fill('08:00');
      await phone.getByRole('combobox', { name: text.reason }).fill('Terminal out of order');
      expect(await axeFindings(phone)).toEqual([]);
      await picture(phone, `my-page-asking-${locale}`);
      await tap(text.go);
      await phone.locator('.my-requests').getByText(text.waits).waitFor();
      expect(taps).toBeLessThanOrEqual(7);
      await picture(phone, `my-page-${locale}`);

      await clerk.goto(`/attendance/person/e1?day=${today}`);
      await clerk.getByText('the employee').waitFor();
      await clerk.getByRole('button', { name: /^Approve correction/ }).click();
      await clerk.getByText('Added manually: Terminal out of order').first().waitFor();
      await phone.reload();
      await phone.locator('.my-requests').getByText(text.effect).waitFor();
      await day.getByText('08:00').waitFor();

      await tap(text.leave);
      await phone.getByLabel(text.kind).selectOption('sick');
      await tap(text.go);
      await phone.getByRole('button', { name: text.withdraw }).click();
      await phone.locator('.my-requests').getByText(text.withdrawn).waitFor();

      // The month before is over.
      await phone.getByRole('button', { name: text.before }).click();
      await phone.getByRole('button', { name: text.confirm }).click();
      await phone.getByText(text.confirmed).waitFor();
      const last = addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
      await clerk.goto(`/attendance/person/e1?month=${last}`);
      await clerk.getByText(`${last} confirmed on ${today}`).waitFor();
      expect(phone.foreign).toEqual([]);
    },
  );

  test('a code is typed as well; it is used up, and the clerk ends what it opened', async () => {
    await using box = await anOffice();
    const clerk = await browser.page(urlOf(box));
    const code = await codesOf(clerk, box);
    const phone = await browser.page(urlOf(box), { width: 390 });
    const other = await browser.page(urlOf(box), { width: 390 });
    for (const page of [phone, other]) {
      await page.goto('/me');
      await page.getByLabel('Access code').fill(code.toLowerCase());
      await page.getByRole('button', { name: 'Open' }).click();
      if (page === phone) await page.getByRole('heading', { name: 'Li Mei' }).waitFor();
    }
    await other.getByText('Wrong access code, or already used').waitFor();
    expect(await axeFindings(other)).toEqual([]);
    await picture(other, 'my-page-code');

    await clerk.goto('/attendance/person/e1');
    const access = clerk.getByRole('region', { name: 'My attendance' });
    await access.getByText(/^Open on one phone, last seen /).waitFor();
    await picture(clerk, 'person-access');
    await access.getByRole('button', { name: 'End access…' }).click();
    await clerk.getByRole('dialog').getByRole('button', { name: 'End access', exact: true }).click();
    await access.getByText('No access code handed out').waitFor();
    await phone.reload();
    await phone.getByLabel('Access code').waitFor();
  });

  test('installed on a phone it opens on the own page', async () => {
    await using box = await anOffice();
    const phone = await browser.page(urlOf(box), { width: 390 });
    await phone.goto('/me');
    const manifest = () => phone.evaluate("document.querySelector('link[rel=manifest]').href");
    await expect.poll(manifest, patient).toBe(`${urlOf(box)}/me/manifest.webmanifest`);
    const answer = await phone.request.get('/me/manifest.webmanifest');
    expect(await answer.json()).toMatchObject({ name: 'Plant 4', start_url: '/me', scope: '/me' });
  });
});

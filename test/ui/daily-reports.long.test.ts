import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../src/runtime/calendar-date.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { dayOf } from '../../src/runtime/wall-time.ts';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import {
  aMailServer,
  type MailServer,
  mailPassword,
  mailUser,
  readMail,
  suiteWithMail,
} from '../support/mail-server.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';
import { afternoonZone } from '../support/working-day.ts';

const timezone = afternoonZone(realClock.now());
const yesterday = addDays(dayOf(realClock.now(), timezone).day, -1);

/** Two of the name have not come, and mail goes out by the server of the alerts. */
const anOffice = (server: MailServer, locale = 'en') =>
  aUiBox(
    {
      ...{ site: { name: 'Plant 4', locale, timezone }, upstream: { ca: `file:${server.caFile}` } },
      alerts: {
        mail: {
          ...{ host: '127.0.0.1', port: server.port, user: mailUser, password: mailPassword },
          ...{ from: mailUser, to: ['it@plant.example'] },
        },
      },
      attendance: { daily_reports: [{ name: 'Whole plant', channel: 'wecom' }] },
    },
    {
      employees: ['Li Mei', 'Zhang San', 'Li Mei'].map((name, index) => ({
        ...{ ext_id: `e${index}`, name, mobile: '', employee_num: `100${index}`, department: { ext_id: 'd1' } },
      })),
      shifts: [{ code: 'day', name: 'Day', times: ['08:00-17:00'] }],
      schedules: [{ who: 'site', cycle: ['day'], anchor: '2026-01-01', from: yesterday }],
    },
  );

const words = {
  'en-US': {
    ...{ add: 'Add daily report', name: 'Name', to: 'Recipients, separated by commas', go: 'Add' },
    ...{ preview: 'Preview Assembly', absent: 'Absent: Li Mei 1000 (08:00), Zhang San (08:00), Li Mei 1002 (08:00)' },
    ...{ test: 'Send test', tested: 'Test delivered', subject: /^Test: \[Plant 4\] Attendance, .*: 3 of 3 absent$/ },
    ...{ edit: 'Edit Assembly', save: 'Save', at: 'Time', remove: 'Delete Assembly', removeGo: 'Delete' },
    ...{ removed: 'Assembly deleted', fixed: 'set by the config file' },
  },
  'zh-CN': {
    ...{ add: '添加日报推送', name: '名称', to: '收件人（用逗号分隔）', go: '添加' },
    ...{ preview: '预览Assembly', absent: '缺勤：Li Mei 1000（08:00）、Zhang San（08:00）、Li Mei 1002（08:00）' },
    ...{ test: '发送测试', tested: '测试已送达', subject: /^测试：【Plant 4】考勤日报 .*：应到 3 人，缺勤 3 人$/ },
    ...{ edit: '编辑Assembly', save: '保存', at: '发送时间', remove: '删除Assembly', removeGo: '删除' },
    ...{ removed: '已删除Assembly', fixed: '由配置文件指定' },
  },
} as const;

const picture = async (page: Page, name: string) => {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

suiteWithBrowser('daily reports', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  suiteWithMail('with a mail server', () => {
    test.each([
      ['en-US', 1280],
      ['zh-CN', 390],
    ] as const)('one is added for a department, looked at and tested in eight clicks: %s', async (locale, width) => {
      await using server = await aMailServer();
      await using box = await anOffice(server, locale);
      const page = await browser.page(urlOf(box), { locale, width });
      const text = words[locale];
      await page.goto('/attendance/reports');
      await enterAs('mei', page);
      let clicks = 0;
      const click = async (name: string) => {
        clicks++;
        await page.getByRole('button', { name, exact: true }).last().click();
      };
      const dialog = page.getByRole('dialog');
      await page.getByText(text.fixed).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await click(text.add);
      clicks += 3;
      await dialog.getByRole('textbox', { name: text.name, exact: true }).fill('Assembly');
      await dialog.getByRole('checkbox', { name: 'Assembly' }).check();
      await dialog.getByLabel(text.to).fill('head@plant.example');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, `daily-report-adding-${locale}`);
      await click(text.go);
      await click(text.preview);
      await dialog.getByText(text.absent, { exact: true }).waitFor();
      await click(text.test);
      await dialog.getByText(text.tested).waitFor();
      expect(clicks).toBeLessThanOrEqual(8);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, `daily-report-preview-${locale}`);
      const mail = await until('the mail is there', () => server.mails[0]);
      expect(mail.to).toEqual(['head@plant.example']);
      if (locale === 'en-US') expect(readMail(mail).headers.subject).toMatch(text.subject);

      await page.keyboard.press('Escape');
      await click(text.edit);
      await dialog.getByRole('textbox', { name: text.at, exact: true }).fill('07:30');
      expect(await dialog.getByRole('checkbox', { name: 'Assembly' }).isChecked()).toBe(true);
      expect(await dialog.getByLabel(text.to).inputValue()).toBe('head@plant.example');
      await click(text.save);
      await page.getByText('07:30').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, `daily-reports-${locale}`);
      await click(text.remove);
      await dialog.getByRole('button', { name: text.removeGo, exact: true }).click();
      await page.getByText(text.removed).waitFor();
      await page.getByRole('button', { name: text.preview }).waitFor({ state: 'detached' });
      expect(page.foreign).toEqual([]);
    });

    test('a robot keeps its address when only the time changes, and is asked for it when the channel does', async () => {
      await using server = await aMailServer();
      await using box = await anOffice(server);
      const page = await browser.page(urlOf(box));
      await page.goto('/attendance/reports');
      await enterAs('mei', page);
      const dialog = page.getByRole('dialog');
      const click = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
      await click('Add daily report');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Group');
      await dialog.getByLabel('Send by').selectOption('dingtalk');
      await dialog.getByLabel('Address').fill('http://127.0.0.1:9/robot/send?access_token=a-secret-token');
      await dialog.getByLabel('Secret').fill('SEC-of-the-robot');
      await click('Add');
      await click('Edit Group');
      await dialog.getByRole('textbox', { name: 'Time', exact: true }).fill('09:15');
      await dialog.getByText('Unchanged').first().waitFor();
      await click('Save');
      await page.getByText('09:15').waitFor();
      await click('Preview Group');
      await click('Send test');
      await dialog.getByText(/^Test not delivered: /).waitFor();
      await page.keyboard.press('Escape');
      const { rows } = await (await page.request.get('/admin/v1/attendance/daily-reports')).json();
      expect(rows[1]).toMatchObject({ name: 'Group', at: '09:15', own_address: true });
      expect(JSON.stringify(rows)).not.toMatch(/a-secret-token|SEC-of/);
      // A name that is in use is no way to replace another one.
      await click('Add daily report');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Group');
      await click('Add');
      await dialog.getByText('A daily report has this name. Choose another.').waitFor();

      const staff = await browser.page(urlOf(box));
      await staff.goto('/attendance/reports');
      await enterAs('wang', staff);
      await staff.getByRole('button', { name: 'Preview Group' }).waitFor();
      expect(await staff.getByRole('button', { name: /^(Add|Edit|Delete)/ }).count()).toBe(0);
      const viewer = await browser.page(urlOf(box));
      await viewer.goto('/attendance');
      await enterAs('li', viewer);
      await viewer.getByRole('link', { name: 'Month' }).waitFor();
      expect(await viewer.getByRole('link', { name: 'Daily reports' }).count()).toBe(0);
    });
  });
});

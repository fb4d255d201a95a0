import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { inCodePage } from '../support/code-page.ts';
import type { BoxProcess } from '../support/program.ts';
import { HttpTerminal } from '../support/terminal.ts';
import { adminPassword, aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

/** The least that a browser shows as a picture. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
let messages = 0;
const nowSeconds = () => Math.floor(Date.now() / 1000);

const signIn = async (page: Page, name: string, path: string): Promise<void> => {
  await page.goto(path);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(adminPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor();
};

/** `2026-11-28`, in the time zone of the site. */
const dayOf = (seconds: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai', dateStyle: 'short' }).format(seconds * 1000);
const monthOf = (seconds: number): string => dayOf(seconds).slice(0, 7);

/** A table of holidays in which this day and its neighbours are working days, whatever day it is. */
async function aWorkingDay(): Promise<string> {
  const file = join(tmpdir(), `gatehouse-working-day-${process.pid}.json`);
  onTestFinished(() => rm(file, { force: true }));
  const days = [-86_400, 0, 86_400].map(later => dayOf(nowSeconds() + later));
  const years = Map.groupBy(days, day => day.slice(0, 4));
  const tableOf = (ofYear: readonly string[]) => ({
    holidays: [{ code: 'stocktaking', name: 'Stocktaking', days: ofYear.map(day => ({ day, type: 'WORK' })) }],
  });
  const table = Object.fromEntries([...years].map(([year, ofYear]) => [year, tableOf(ofYear)]));
  await writeFile(file, JSON.stringify(table));
  return file;
}

/** What a terminal reports; resolves when the box has taken it. */
const reports = (box: BoxProcess, action: number, records: readonly object[], time = 0): Promise<void> =>
  reportsOnce(box, action, { records }, time);
const reportsOnce = async (box: BoxProcess, action: number, data: object, time = 0): Promise<void> => {
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const terminal = new HttpTerminal({ deviceId: 'FACE-T1_A0001', key: 'key-of-the-product' }, urlOf(box), ca);
  try {
    await terminal.connect();
    const message = { mid: `m${action} ${++messages}`, from: terminal.deviceId, to: 'system', time, action, data };
    const answer = await terminal.ask(`/api/push/${terminal.deviceId}`, {
      method: 'POST',
      body: JSON.stringify(message),
    });
    expect(JSON.parse(answer.body).code).toBe(0);
  } finally {
    terminal.end();
  }
};
const checkins = (box: BoxProcess, people: readonly number[]) =>
  reports(
    box,
    2001,
    people.map(no => ({ ext_id: `e${no}`, check_type: 'fa', check_time: nowSeconds() })),
  );
const passages = (box: BoxProcess) =>
  reports(box, 2002, [
    { door_id: 'D1', ext_id: 'e1', check_type: 'fa', check_time: nowSeconds(), check_result: 0 },
    { door_id: 'D1', check_type: 'fa', check_time: nowSeconds(), check_result: 2, capture_img: png },
  ]);

const picture = async (page: Page, name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
};

const auditOf = async (page: Page): Promise<{ actor: string; action: string; subject: string; outcome: string }[]> =>
  (await (await page.request.get('/admin/v1/audit?limit=100')).json()).rows;

suiteWithBrowser('attendance, access and people', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('a punch that waited is shown as late, not as the mark of a slow clock', async () => {
    await using box = await aUiBox();
    const now = nowSeconds();
    await reports(box, 2001, [{ ext_id: 'e1', check_type: 'fa', check_time: now }], now);
    await reports(box, 2001, [{ ext_id: 'e1', check_type: 'fa', check_time: now - 25 * 3600 }], now);
    await reports(box, 2001, [{ ext_id: 'e1', check_type: 'fa', check_time: now + 600 }], now + 600);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'mei', `/attendance/person/e1?month=${monthOf(now - 25 * 3600)}`);
    await page.getByText('arrived 25 h late').waitFor();
    await page.goto(`/attendance/person/e1?month=${monthOf(now + 600)}`);
    await page.getByText('clock at least 10 min fast').waitFor();
    expect(await page.getByText('slow').count()).toBe(0);
    await page.goto('/devices/FACE-T1_A0001');
    await page.getByText('at least 10 min fast').waitFor();
  });

  test('who has not checked in today: the page names them, and one leaves the list when she does', async () => {
    await using box = await aUiBox({ services: { holidays: await aWorkingDay() } });
    await checkins(
      box,
      Array.from({ length: 18 }, (_, index) => index + 1),
    );
    const page = await browser.page(urlOf(box));
    await signIn(page, 'mei', '/attendance');
    await page.locator('.sentence', { hasText: '18 of 20 people have checked in · no schedules' }).waitFor();
    const missing = page.getByRole('table', { name: 'Without check-in' });
    await missing.getByText('1019').waitFor();
    expect(await missing.getByRole('row').count()).toBe(3);
    expect(await missing.getByText('1020').count()).toBe(1);
    const here = page.getByRole('table', { name: 'With check-in', exact: true });
    // It is asked for by itself, and may come after the other.
    await expect.poll(() => here.getByRole('row').count(), patient).toBe(19);
    expect(await here.getByRole('row').nth(1).textContent()).toMatch(/1001.*Assembly.*\d\d:\d\d:\d\d A0001/);
    await reports(box, 2001, [{ ext_id: 'e19', check_type: 'card', check_time: nowSeconds() }]);
    await page.locator('.sentence', { hasText: '19 of 20 people have checked in · no schedules' }).waitFor();
    await missing.getByText('1019').waitFor({ state: 'detached' });
    await page.getByLabel('Name or number').fill('1020');
    await page.waitForURL(/search=1020/);
    await page.getByText('None', { exact: true }).waitFor();
    expect(page.foreign).toEqual([]);
  });

  test('export the month and open it in a spreadsheet; that it was taken is written down', async () => {
    await using box = await aUiBox();
    await checkins(box, [1, 2, 2]);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/attendance/month');
    await page
      .getByRole('img', { name: /: 2 check-ins$/ })
      .first()
      .waitFor();
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Check-ins (Excel)' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^checkins-\d{4}-\d\d\.xlsx$/);
    const book = await readXlsx(await readFile(await download.path()));
    const [header, ...rows] = book.sheets[0]!.rows as unknown[][];
    expect(header!.slice(0, 4)).toEqual(['Employee number', 'Name', 'Department', 'Check time']);
    expect(rows.map(row => row[0])).toEqual(['1001', '1002', '1002']);
    expect(rows[0]![3]).toBeInstanceOf(Date);
    const month = /checkins-(.*)\.xlsx/.exec(download.suggestedFilename())![1]!;
    const file = join(box.folder, 'command.csv');
    await box.ask('export', '--what', 'checkins', '--format', 'csv', '--month', month, '--out', file);
    const csv = await page.request.get(`/admin/v1/reports/checkins.csv?month=${month}`);
    expect(await csv.text()).toBe(await readFile(file, 'utf8'));
    const csvLink = page.getByRole('link', { name: 'Check-ins (CSV)' });
    for (const [chosen, sign] of [
      ['semicolon', ';'],
      ['tab', '\t'],
      ['', ','],
    ] as const) {
      await page.getByLabel('CSV separator').selectOption(chosen);
      const saved = page.waitForEvent('download');
      await csvLink.click();
      expect(await readFile(await (await saved).path(), 'utf8')).toMatch(`Employee number${sign}Name${sign}`);
    }
    expect(await auditOf(page)).toContainEqual(
      expect.objectContaining({
        actor: 'wang',
        action: 'GET /reports/checkins.xlsx',
        subject: `check-ins of ${month}`,
        outcome: 'done',
      }),
    );
  });

  test('import people from a list: what is wrong is said by row, old and new side by side, then it is applied', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/people/import');
    const choose = async (text: string) => {
      const file = join(box.folder, 'people.csv');
      await writeFile(file, text);
      const chooser = page.waitForEvent('filechooser');
      await page.getByLabel('XLSX or CSV file').click();
      await (await chooser).setFiles(file);
    };
    await choose('ext_id,name,department_ext_id\nn1,New One,d1\nn2,,d1\nn3,Third,nowhere\n');
    await page.getByText('2 errors. Nothing was imported.').waitFor();
    const wrong = page.getByRole('table', { name: 'Errors by row' });
    expect(await wrong.getByRole('row').allTextContents()).toEqual([
      'RowColumnValueReason',
      '3Nameis empty: fill it in',
      '4Department IDnowhereno such department',
    ]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all errors' }).click();
    expect(await readFile((await (await saved).path())!, 'utf8')).toBe(
      '\ufeffRow,Column,Value,Reason\r\n3,Name,,is empty: fill it in\r\n4,Department ID,nowhere,no such department\r\n',
    );
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
    await choose('ext_id,name,department_ext_id,title\nn1,New One,d1,\nn3,Third,d1,\ne1,Li Mei,d1,Welder\n');
    await page.getByText('2 to add, 1 to change, 0 unchanged.').waitFor();
    const changes = page.getByRole('table', { name: 'Changes' });
    expect(await changes.getByRole('row').nth(1).textContent()).toBe('4Li Mei e1changeTitle: Fitter → Welder');
    expect((await page.request.get('/admin/v1/people/n1')).status()).toBe(404);
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('Imported: 2 added, 1 changed, 0 unchanged.').waitFor();
    await page.goto('/people?search=New');
    await page.getByRole('link', { name: 'New One' }).waitFor();
  });

  test.each([
    ['en-US', 1280, 'Number,Name,Department,Sex'],
    ['zh-CN', 390, '工号,姓名,部门,性别'],
  ] as const)(
    '200 people as HR exports them, with departments by name, in at most 6 clicks: %s, %d wide',
    async (locale, width, header) => {
      await using box = await aUiBox();
      const page = await browser.page(urlOf(box), { locale, width });
      await page.goto('/people');
      await enterAs('wang', page);
      const said = {
        'en-US': {
          import: 'Import employees',
          would: '200 to add, 0 to change, 0 unchanged. 4 departments will be added.',
          go: 'Import 200 rows',
          did: 'Imported: 200 added',
        },
        'zh-CN': {
          import: '批量导入',
          would: '将新增 200 条，修改 0 条，0 条不变。 将新建 4 个部门。',
          go: '导入 200 行',
          did: '导入完成：新增 200 条',
        },
      }[locale];
      let clicks = 0;
      const click = async (what: Locator) => {
        clicks++;
        await what.click();
      };
      const halls = ['Assembly', 'Paint', 'Plant 5/Press', 'Plant 5/Stores'];
      const rows = Array.from({ length: 200 }, (_, at) => `${5000 + at},Person ${at},${halls[at % 4]},f`);
      await click(page.getByRole('link', { name: said.import }));
      const chooser = page.waitForEvent('filechooser');
      await click(page.locator('input[type=file]'));
      const buffer = Buffer.from([header, ...rows].join('\r\n'));
      await (await chooser).setFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer });
      await page.getByText(said.would).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await picture(page, `import-${locale}-${width}`);
      await click(page.getByRole('button', { name: said.go }));
      await page.getByText(said.did).waitFor();
      expect(clicks).toBeLessThanOrEqual(6);
      expect(await (await page.request.get('/admin/v1/people/5002')).json()).toMatchObject({ department: 'Press' });
    },
  );

  test('a column that the header does not tell is chosen by hand; unknown IDs become people at once', async () => {
    await using box = await aUiBox();
    await checkins(box, [77, 78]);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/people/import');
    const buffer = Buffer.from('Pers.,Wer,Dept.\n5000,Zhao Lei,Assembly\n');
    await page.getByLabel('XLSX or CSV file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await page.getByText('2 errors. Nothing was imported.').waitFor();
    await page.getByLabel(/^Number/).selectOption({ label: 'Pers. (5000)' });
    await page.getByText('1 error. Nothing was imported.').waitFor();
    await page.getByLabel(/^Name/).selectOption({ label: 'Wer (Zhao Lei)' });
    await page.getByText('1 to add, 0 to change, 0 unchanged.').waitFor();
    await picture(page, 'import-by-hand');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Imported: 1 added').waitFor();
    await page.goto('/people');
    await page.getByRole('button', { name: 'Add 2 employees for these IDs…' }).click();
    await picture(page, 'unknown-ids');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 employees added').waitFor();
    expect(await (await page.request.get('/admin/v1/people/e78')).json()).toMatchObject({ name: 'e78', checkins: 1 });
  });

  test('import a list in a code page: the guess is shown with names, another one can be chosen, and is imported', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/people/import');
    const text = 'ext_id,name,department_ext_id\nn1,Petr Černý,d1\n';
    await page.getByLabel('XLSX or CSV file').setInputFiles({
      ...{ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(inCodePage(text, 'windows-1250')) },
    });
    await page.getByText('Encoding detected: Western European (windows-1252).').waitFor();
    await page.getByText('Petr Èerný', { exact: true }).waitFor();
    await page.getByLabel('File encoding').selectOption('windows-1250');
    await page.getByText('Encoding: Central European (windows-1250)').waitFor();
    await page.getByText('Petr Černý', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Imported: 1 added, 0 changed, 0 unchanged.').waitFor();
    expect(await (await page.request.get('/admin/v1/people/n1')).text()).toContain('Petr Černý');
  });

  test('a photo is blurred until it is asked for, and the look is in the audit log', async () => {
    await using box = await aUiBox();
    await passages(box);
    const page = await browser.page(urlOf(box));
    const asked: string[] = [];
    page.on('request', request => request.url().endsWith('/photo') && asked.push(request.url()));
    await signIn(page, 'wang', '/access');
    await page.locator('.sentence', { hasText: '2 attempts · 1 denied' }).waitFor();
    const stranger = page.getByRole('row').filter({ hasText: 'Stranger' });
    expect(await stranger.locator('img').count()).toBe(0);
    expect(await stranger.locator('.blurred').count()).toBe(1);
    expect(asked).toEqual([]);
    expect((await auditOf(page)).filter(one => one.action.endsWith('/photo'))).toEqual([]);
    await stranger.getByRole('button', { name: 'Show photo' }).click();
    await stranger.getByRole('img', { name: /^Photo of Stranger at / }).waitFor();
    expect(
      await stranger.locator('img').evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(1);
    expect((await auditOf(page)).filter(one => one.action.endsWith('/photo'))).toMatchObject([
      { actor: 'wang', subject: expect.stringContaining('a stranger'), outcome: 'done' },
    ]);
    await page.getByLabel('Result').selectOption({ label: 'Strangers' });
    await page.getByRole('link', { name: 'Li Mei' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('result')).toBe('stranger');
  });

  test('a person’s month names supplement cards, and lists features without showing them', async () => {
    await using box = await aUiBox();
    await reports(box, 2001, [
      { ext_id: 'e1', check_type: 'reissue', check_time: nowSeconds() },
      { ext_id: 'e1', check_type: 'fp', check_time: nowSeconds() },
    ]);
    await reportsOnce(box, 2003, {
      ext_id: 'e1',
      feature_type: 'fp',
      feature_alg: 'v1',
      values: ['s3cret'],
      abnormal: [true],
    });
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/attendance/person/e1');
    await page.locator('.sentence', { hasText: /^Li Mei · \w+ \d{4} · check-ins on 1 day$/ }).waitFor();
    const list = page.getByRole('table', { name: 'Check-ins of Li Mei' });
    await list.getByText('Added check-in').waitFor();
    expect(await list.getByRole('row').filter({ hasText: 'Fingerprint' }).textContent()).toMatch(
      /A0001.*stored on the gateway$/,
    );
    await page.getByRole('button', { name: 'View stored biometrics' }).click();
    const features = page.getByRole('table', { name: 'Biometrics' });
    await features.getByText('not recognized by a terminal').waitFor();
    expect(await page.content()).not.toContain('s3cret');
    expect(await auditOf(page)).toContainEqual(
      expect.objectContaining({ action: 'GET /people/e1/features', subject: 'features of e1' }),
    );
    await page.getByRole('button', { name: 'Previous month' }).click();
    await page.locator('.sentence', { hasText: /^Li Mei · .* · no check-ins$/ }).waitFor();
  });

  test('the dialog says what is deleted with a person; a department with people in it is refused with the reason', async () => {
    await using box = await aUiBox();
    await checkins(box, [1, 1, 1]);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'mei', '/people?search=1001');
    await page.getByRole('button', { name: 'More for Li Mei' }).click();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete Li Mei' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Offboard…' }).waitFor();
    await page.getByText('Deletes Li Mei and all 3 check-ins.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Li Mei deleted').waitFor();
    expect(await box.export('checkins')).toEqual([]);
    await page.goto('/people');
    await page.locator('.sentence', { hasText: '19 employees · 2 departments' }).waitFor();
    await page.getByRole('treeitem', { name: /Plant 4/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Employees in Assembly' }).waitFor();
    await page.getByRole('button', { name: 'Delete department' }).click();
    await page.getByText('Assembly still has 19 employees. Move or delete them first.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Add department' }).click();
    await page.getByLabel('Department ID').fill('d9');
    await page.getByLabel('Name', { exact: true }).fill('Night shift');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Night shift saved').waitFor();
    await page.getByRole('treeitem', { name: 'Night shift' }).waitFor();
    await page.getByRole('treeitem', { name: /Assembly/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('treeitem', { name: 'Night shift' }).waitFor({ state: 'detached' });
  });

  test('a viewer neither looks at photos nor changes people', async () => {
    await using box = await aUiBox();
    await passages(box);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'li', '/access');
    await page.getByText('staff only').waitFor();
    expect(await page.getByRole('button', { name: 'Show photo' }).count()).toBe(0);
    const { rows } = await (await page.request.get('/admin/v1/access?result=stranger')).json();
    expect((await page.request.get(`/admin/v1/access/${rows[0].id}/photo`)).status()).toBe(403);
    expect((await page.request.get('/admin/v1/people/e1/features')).status()).toBe(403);
    await page.goto('/people');
    await page.getByRole('link', { name: 'Li Mei' }).first().waitFor();
    for (const name of [/^Delete/, /^Edit/, /^Add/]) expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Import employees' }).count()).toBe(0);
    const status = await page.evaluate(async () => {
      const answers = [
        await fetch('/admin/v1/people/e1', { method: 'DELETE' }),
        await fetch('/admin/v1/people/import?what=employees', { method: 'POST', body: 'ext_id' }),
        await fetch('/admin/v1/departments/d1', { method: 'DELETE' }),
      ];
      return answers.map(answer => answer.status);
    });
    expect(status).toEqual([403, 403, 403]);
    await page.goto('/attendance/person/e1');
    await page.locator('.sentence', { hasText: /^Li Mei/ }).waitFor();
    expect(await page.getByRole('button', { name: 'View stored biometrics' }).count()).toBe(0);
  });
});

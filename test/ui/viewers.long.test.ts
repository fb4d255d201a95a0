import { inflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import golden from '../admin/openapi.golden.json' with { type: 'json' };
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { everyPage } from '../support/every-page.ts';
import type { BoxProcess } from '../support/program.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const mobile = '13800001234';
const month = new Date().toISOString().slice(0, 7);
const today = new Date().toISOString().slice(0, 10);

/** What stands in a path, and what a call cannot do without. */
const inPath: Readonly<Record<string, readonly string[]>> = {
  '{ext_id}': ['e1'],
  '{what}': ['checkins', 'access', 'logs', 'checkin-report', 'access-report'],
  '{day}': [today],
  '{name}': ['li'],
  '{file}': ['month.csv', 'month.xlsx', 'checkins.csv', 'checkins.xlsx', 'template.csv', 'template.xlsx'],
};
const asked = `month=${month}&day=${today}&what=employees&person=e1&checkin=1&q=Li&search=${mobile.slice(0, 5)}&limit=50`;

/** Every call that reads, with the ids of this site in it. */
function reads(): string[] {
  return Object.entries(golden.paths as Record<string, object>)
    .filter(([path, methods]) => path.startsWith('/admin/v1/') && 'get' in methods && !/\/(live|stream)$/.test(path))
    .flatMap(([path]) => {
      const name = /\{\w+\}/.exec(path)?.[0] ?? '';
      const values = name === '{id}' ? [path.includes('/devices/') ? 'FACE-T1_A0001' : '1'] : (inPath[name] ?? ['']);
      // Some refuse words that they do not know, others need them.
      return values.flatMap(value => [path.replace(name, value), `${path.replace(name, value)}?${asked}`]);
    });
}

/** What a file says: of a workbook all its parts. */
function textOf(bytes: Buffer): string {
  const parts = [bytes.toString('utf8')];
  for (let at = bytes.indexOf('PK\x03\x04'); at !== -1; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const data = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    if (bytes.readUInt16LE(at + 8) === 8) parts.push(inflateRawSync(bytes.subarray(data)).toString('utf8'));
  }
  return parts.join('\n');
}

suiteWithBrowser('mobile numbers', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    box = await aUiBox(
      {},
      {
        employees: [
          { ext_id: 'e1', name: 'Li Mei', mobile, employee_num: '1001', department: { ext_id: 'd1', title: 'Fitter' } },
        ],
      },
    );
    const terminals = await terminalsAt(box, { people: 1, recordsMax: 5 });
    await until('the terminals have said something', async () => (await box.export('checkins')).length >= 4);
    await terminals.stop();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
  });

  const signedIn = async (name: string): Promise<Page> => {
    const page = await browser.page(urlOf(box));
    await page.goto('/');
    await enterAs(name, page);
    await page.locator('.path .station').first().waitFor();
    return page;
  };
  /** The calls that answer with the whole number, and how many answered at all. */
  const tellers = async (page: Page) => {
    const found: string[] = [];
    let answered = 0;
    for (const path of reads()) {
      const answer = await page.request.get(path);
      if (!answer.ok()) continue;
      answered++;
      if (textOf(await answer.body()).includes(mobile)) found.push(path);
    }
    return { found, answered };
  };

  test('are whole in no answer, file or page that a viewer gets', async () => {
    const staff = await tellers(await signedIn('wang'));
    expect(staff.found).toContain('/admin/v1/people/e1');
    const page = await signedIn('li');
    const { found, answered } = await tellers(page);
    expect(answered).toBeGreaterThan(80);
    expect(found).toEqual([]);
    const shown: string[] = [];
    for (const path of [...everyPage, '/attendance/person/e1', `/attendance/person/e1/${today}`, `/people?search=e1`]) {
      await page.goto(path);
      await page.locator('main :is(.sentence, .wall)').first().waitFor();
      await page.locator('main [role=status]:text-matches("Loading|正在加载")').first().waitFor({ state: 'detached' });
      if ((await page.content()).includes(mobile)) shown.push(path);
    }
    expect(shown).toEqual([]);
  });
});

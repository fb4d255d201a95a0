import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { shell } from '../support/shell.ts';
import { hasTool } from '../support/tools.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

const bytesMax = 200_000;
const attendance = { app_key: 'payroll', app_secret: 'secret-of-payroll' };
const portal = { app_id: 'hr-portal', app_key: 'key-of-the-portal' };

/** How each sample is saved and run, as its first line says. */
const programs = {
  curl: { tool: 'curl', file: 'sample.sh', command: 'sh sample.sh' },
  Python: { tool: 'python3', file: 'sample.py', command: 'python3 sample.py' },
  Java: { tool: 'javac', file: 'Sample.java', command: 'java Sample.java' },
  Go: { tool: 'go', file: 'sample.go', command: 'go run sample.go' },
} as const;
type Language = keyof typeof programs;
const languages = Object.keys(programs) as Language[];

/** One of each form: a path, a command, a query that is encoded, a body, a file. */
const compiled = [
  '/v2.0/employee/query',
  '/v2.0/cloudappapi checkin_query',
  '/api/1.0.0/tts',
  '/api/1.0.0/message/short-message',
  '/api/v1.0.0/file',
];
/** Has no end. */
const stream = '/api/1.0.0/message/app/stream';

suiteWithBrowser('the page of the APIs', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, look: object) => {
    const page = await browser.page(urlOf(box), look);
    await page.goto('/');
    await enterAs('mei', page);
    await page.locator('.path .station').first().waitFor();
    return page;
  };

  test.each([
    ['en-US', 'identifies the caller'],
    ['zh-CN', '标识调用方'],
  ] as const)('says in %s what a parameter is, in less than 200 kB', async (locale, parameter) => {
    await using box = await aUiBox();
    const page = await signedIn(box, { locale });
    let bytes = 0;
    const sizes: Promise<void>[] = [];
    page.on('response', response => {
      // The event stream has no end.
      if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
      const sent = response.request().sizes();
      sizes.push(
        sent.then(({ responseBodySize }) => {
          bytes += responseBodySize;
        }),
      );
    });
    await page.goto('/docs');
    await page.locator('details.operation summary', { hasText: '/v2.0/employee/query' }).click();
    await page.getByText(parameter).first().waitFor();
    await page.waitForLoadState('load');
    await Promise.all(sizes);
    console.info(`${locale}: ${Math.round(bytes / 1000)} kB`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(bytesMax);
  });

  test.each([
    ['en-US', 1280, 'Attendance API (signed, POST)', 'Admin API'],
    ['zh-CN', 390, '考勤接口（需签名，POST）', '管理接口'],
  ] as const)(
    'integrators find what they call first, the admin API last: %s, %d wide',
    async (locale, width, first, last) => {
      await using box = await aUiBox();
      const page = await signedIn(box, { locale, width });
      await page.goto('/docs');
      const groups = page.locator('main section > h2');
      await groups.first().waitFor();
      expect(await groups.first().textContent()).toBe(first);
      expect(await groups.last().textContent()).toBe(last);
      await page.locator('details.operation summary', { hasText: 'checkin_query:' }).click();
      for (const language of languages) await page.getByRole('button', { name: language, exact: true }).click();
      await page
        .getByRole('region', { name: 'Go: POST /v2.0/cloudappapi checkin_query' })
        .getByText('md5.Sum')
        .waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/docs-${locale}.png` });
    },
  );

  test('every sample of every signed call, as it is shown, signs rightly and gets its answer', async () => {
    await using box = await aUiBox({}, { attendance_callers: [attendance], apps: [portal] });
    const page = await signedIn(box, {});
    const shown = await samplesOf(page);
    expect(shown.length).toBeGreaterThanOrEqual(4 * 25);
    const trust = await box.ask('trust', 'export', '--edition', 'slim');
    for (const [index, { language, name, text }] of shown.entries()) {
      const { tool, file, command } = programs[language];
      const isCompiled = language === 'Java' || language === 'Go';
      if (!hasTool(tool) || name.endsWith(stream) || (isCompiled && !compiled.some(path => name.endsWith(path))))
        continue;
      const folder = join(box.folder, `sample-${index}`);
      await mkdir(folder);
      await writeFile(join(folder, 'trust.pem'), trust);
      await writeFile(join(folder, file), text);
      expect(text.split('\n')[0], name).toContain(command);
      const keys = name.includes('/v2.0/')
        ? { APP_KEY: attendance.app_key, APP_SECRET: attendance.app_secret }
        : { APP_ID: portal.app_id, APP_KEY: portal.app_key };
      const { status, said } = await shell(command, folder, { ...keys, GOCACHE: join(box.folder, 'go-build') });
      expect(status, `${language}: ${name}: ${said}`).toBe(0);
      const { code, msg } = JSON.parse(said) as { code: number; msg: string };
      // Not found, in use, or not to be had without a cloud: the signature and the form were right.
      expect([0, 201, 202, 203, 404, 503], `${language}: ${name}: ${msg}`).toContain(code);
      if (compiled.includes(name.replace(/^(?:GET|POST) /, ''))) expect([0, 404, 503], msg).toContain(code);
    }
    const requests = await page.evaluate<{ why: object | null }[]>(
      "fetch('/admin/v1/integrations').then(answer => answer.json()).then(({ requests }) => requests)",
    );
    expect(requests.filter(({ why }) => why === null).length).toBeGreaterThan(10);
  });
});

/** The text of each sample, by language and call. */
async function samplesOf(page: Page): Promise<{ language: Language; name: string; text: string }[]> {
  await page.goto('/docs');
  await page.locator('details.operation').first().waitFor();
  const found: { language: Language; name: string; text: string }[] = [];
  for (const language of languages) {
    await page.evaluate('document.querySelectorAll("details.operation").forEach(one => { one.open = false })');
    for (const group of ['attendance', 'services']) {
      const section = page.locator(`section[aria-labelledby=group-${group}]`);
      await section.evaluate(one => {
        for (const details of one.querySelectorAll('details')) details.open = true;
      });
    }
    await page.locator('.sample-languages').first().waitFor();
    await page.locator('.sample-languages').first().getByRole('button', { name: language, exact: true }).click();
    const blocks = page.locator(`section.block[aria-label^="${language}: "]`);
    await blocks.last().waitFor();
    for (const block of await blocks.all())
      found.push({
        language,
        name: (await block.getAttribute('aria-label'))!.slice(language.length + 2),
        text: (await block.textContent())!,
      });
  }
  return found;
}

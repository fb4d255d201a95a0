import { createHash } from 'node:crypto';
import { request } from 'node:https';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { adminPassword, aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';

const secrets = { payroll: 'secret-of-payroll', portal: 'key-of-the-portal', canteen: 'secret-of-the-canteen' };
const site = {
  attendance_callers: [{ app_key: 'payroll', app_secret: secrets.payroll, name: 'Payroll' }],
  apps: [{ app_id: 'hr-portal', app_key: secrets.portal, name: 'HR portal' }],
  oauth_clients: [
    {
      client_id: 'canteen',
      client_secret: secrets.canteen,
      name: 'Canteen',
      redirect_uris: ['https://canteen.example/back'],
    },
  ],
};
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const path = '/v2.0/employee/query';

/** A call as an integrator's program makes it, over TLS. */
function calls(box: BoxProcess, of: string, headers: Record<string, string>, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${urlOf(box)}${of}`,
      { method: body === undefined ? 'GET' : 'POST', headers, rejectUnauthorized: false },
      answer => {
        let text = '';
        answer.setEncoding('utf8').on('data', piece => {
          text += piece;
        });
        answer.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The buttons of a page, but for the one that opens the search. */
const changing = (page: Page) => page.locator('main button:not(.search-button)');

suiteWithBrowser('integrators', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, name: string, to: string, look = {}) => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(to);
    await enterAs(name, page);
    await page.locator('.rail').waitFor();
    return page;
  };

  test('read why a signature fails: which part differs, beside the string that the box signed', async () => {
    await using box = await aUiBox({}, site);
    const now = String(Date.now());
    const head = { 'App-Key': 'payroll', 'App-Timestamp': now };
    expect(await calls(box, path, { ...head, 'App-Sig': md5(`${path}${now}payrollanother`) }, '{}')).toContain('103');
    const page = await signedIn(box, 'li', '/integrations?tab=requests');
    await page.getByText(/^Last rejected request: payroll/).waitFor();
    const last = page.locator('article').first();
    await last.getByText('You signed with another secret').waitFor();
    expect(await last.locator('.signed-string .part-text').allTextContents()).toEqual([
      path,
      now,
      'payroll',
      '********',
    ]);
    expect(await last.locator('.differs').textContent()).toBe('********App-Secret (likely)');

    await calls(box, path, { ...head, 'App-Sig': md5(`${now}payroll${secrets.payroll}`) }, '{}');
    await calls(box, '/api/1.0.0/holiday', {
      app_id: 'hr-portal',
      timestamp: now,
      nonce: 'abcdef',
      sig: md5(`app_id=hr-portal&app_key=${secrets.portal}&nonce=abcdef&timestamp=${now.slice(0, 10)}`),
    });
    await page.getByText('You signed the time in seconds, and sent it in milliseconds.').waitFor();
    expect(await page.locator('article .differs .part-name').allTextContents()).toEqual([
      ...['timestamp (first difference)', 'timestamp (first difference)'],
      ...['App-Timestamp (first difference)', 'path (first difference)'],
      'App-Secret (likely)',
    ]);
    // Taken, and to be corrected all the same.
    const timestamp = now.slice(0, 10);
    const signed = `app_id=hr-portal&app_key=${secrets.portal}&nonce=ghijkl&timestamp=${timestamp}`;
    const taken = { app_id: 'hr-portal', timestamp, nonce: 'ghijkl', sig: md5(signed) };
    expect(await calls(box, '/api/1.0.0/holiday', taken)).toContain('"code":0');
    await page.getByText('Time in seconds. Send milliseconds, 13 digits.').waitFor();
    // Accepted ones are below, and the key says when it was used.
    await page.getByRole('table', { name: 'Accepted in the last hour' }).getByText('GET /api/1.0.0/holiday').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    for (const secret of Object.values(secrets)) expect(await page.content()).not.toContain(secret);
    expect(page.foreign).toEqual([]);
    await page.goto('/integrations');
    const key = (id: string) => page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ hasText: id });
    await key('hr-portal').getByText('127.0.0.1 /api/1.0.0/holiday').waitFor();
    await key('payroll').getByText('Never used').waitFor();
  });

  test('try a call: the box signs it, the page sends it, and the secret stays where it is', async () => {
    await using box = await aUiBox({}, site);
    const page = await signedIn(box, 'mei', '/integrations?tab=console');
    const answers: string[] = [];
    page.on('response', async answer => void answers.push(await answer.text().catch(() => '')));
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByText(/^Status 200/).waitFor();
    const answer = page.getByRole('region', { name: 'Response' });
    expect(JSON.parse((await answer.textContent())!)).toMatchObject({ code: 0, data: { total: 20 } });
    await page.getByLabel('API key').selectOption({ label: 'HR portal (Public services)' });
    await page.getByLabel('Path and query').fill('/api/1.0.0/holiday/day?date=2026-10-01');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await answer.getByText('"2026-10-01"').waitFor();
    expect(JSON.parse((await answer.textContent())!)).toMatchObject({ code: 0, data: { type: 'BREAK' } });
    await page.getByRole('region', { name: 'curl' }).getByText("-H 'app_id: hr-portal'").waitFor();
    for (const secret of Object.values(secrets)) {
      expect(await page.content()).not.toContain(secret);
      expect(answers.join('')).not.toContain(secret);
    }
    // It was a look in the name of a program: it stands in the audit log.
    const audit = JSON.parse(await page.evaluate(async () => (await fetch('/admin/v1/audit')).text()));
    expect(audit.rows[0]).toMatchObject({
      actor: 'mei',
      action: 'POST /integrations/sign',
      subject: 'services hr-portal /api/1.0.0/holiday/day?date=2026-10-01',
    });
  });

  test('add a program with a secret that is shown once, give it a new one, and remove it', async () => {
    await using box = await aUiBox();
    const page = await signedIn(box, 'mei', '/integrations');
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Add API key' }).click();
    await page.getByLabel('ID (App-Key)').fill('payroll');
    await page.getByLabel('Name').fill('Payroll');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const first = (await page.getByTestId('secret').textContent())!;
    const asks = (secret: string) => {
      const now = String(Date.now());
      const sig = md5(`${path}${now}payroll${secret}`);
      return calls(box, path, { 'App-Key': 'payroll', 'App-Timestamp': now, 'App-Sig': sig }, '{}');
    };
    expect(JSON.parse(await asks(first)).code).toBe(0);
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Add API key' }).click();
    await page.getByLabel('ID (App-Key)').fill('payroll');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('This ID is in use.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'New secret: payroll' }).click();
    await page.getByRole('button', { name: 'Create new secret' }).click();
    await page.getByText('Copy the secret now').waitFor();
    const second = (await page.getByTestId('secret').textContent())!;
    expect(second).not.toBe(first);
    expect([JSON.parse(await asks(first)).code, JSON.parse(await asks(second)).code]).toEqual([103, 0]);
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Delete: payroll' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('payroll deleted').waitFor();
    expect(JSON.parse(await asks(second)).code).toBe(101);
  });

  test('take back what somebody has allowed a program', async () => {
    await using box = await aUiBox({}, site);
    const person = await browser.page(urlOf(box));
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: 'canteen',
      redirect_uri: 'https://canteen.example/back',
      scope: 'user_info',
      state: 's',
    });
    await person.goto(`/oauth/authorize?${asked}`);
    await person.locator('input:not([type=hidden])').first().fill('wang');
    await person.locator('input[type=password]').fill(adminPassword);
    await person.keyboard.press('Enter');
    // No such host answers: what the browser asks of it is enough.
    const back = person.waitForRequest('https://canteen.example/**');
    await person.locator('button[value=allow]').click();
    const code = new URL((await back).url()).searchParams.get('code')!;
    const token = await calls(
      box,
      '/oauth/token',
      {
        Authorization: `Basic ${btoa(`canteen:${secrets.canteen}`)}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      String(
        new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: 'https://canteen.example/back' }),
      ),
    );
    const { access_token } = JSON.parse(token);
    const asksWho = () => calls(box, '/api/getUserInfo', { Authorization: `Bearer ${access_token}` });
    expect(await asksWho()).toContain('wang');

    const page = await signedIn(box, 'mei', '/integrations?tab=allowed');
    await page.getByRole('button', { name: 'Revoke: wang, Canteen' }).click();
    await page.getByRole('heading', { name: 'Revoke access of Canteen for wang?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Access revoked').waitFor();
    await page.getByText('No authorized apps yet').waitFor();
    expect(await asksWho()).not.toContain('wang');
  });

  test('a viewer sees names, no secrets, and no buttons that change anything', async () => {
    await using box = await aUiBox({}, site);
    const page = await signedIn(box, 'li', '/integrations');
    await page.getByRole('cell', { name: 'Payroll', exact: true }).waitFor();
    for (const tab of ['', '?tab=allowed', '?tab=console']) {
      await page.goto(`/integrations${tab}`);
      await page.locator('main .sentence').waitFor();
      expect(await changing(page).count()).toBe(0);
      for (const secret of Object.values(secrets)) expect(await page.content()).not.toContain(secret);
    }
    await page.goto('/commission?step=network');
    await page.getByText('Last attempt').waitFor();
    expect(await changing(page).count()).toBe(0);
    const refused = await page.evaluate(async () => {
      const body = JSON.stringify({ kind: 'attendance', id: 'payroll', path: '/v2.0/employee/query' });
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/admin/v1/integrations/sign', { method: 'POST', headers, body })).status;
    });
    expect(refused).toBe(403);
  });

  test('follow the log of a device, and find a word in it', async () => {
    await using box = await aUiBox();
    const terminals = await terminalsAt(box, { logs: 5 });
    try {
      const page = await signedIn(box, 'li', '/logs');
      const logs = page.getByRole('table', { name: 'Device logs, newest first' });
      await logs.getByRole('row').nth(3).waitFor();
      await page.getByLabel('Device ID').fill('FACE-T1_A0002');
      await page.locator('main').getByRole('button', { name: 'Search', exact: true }).click();
      await page.waitForURL('**/logs?device_id=FACE-T1_A0002');
      await page.getByText(/^Last log .* from FACE-T1_A0002$/).waitFor();
      const newest = () => logs.getByRole('row').nth(1).textContent();
      await expect.poll(newest, patient).toContain('FACE-T1_A0002');
      const before = await newest();
      await expect.poll(newest, patient).not.toBe(before);
      expect(await logs.getByText('FACE-T1_A0001').count()).toBe(0);

      await page.getByLabel('Contains').fill('MATCH: score');
      await page.locator('main').getByRole('button', { name: 'Search', exact: true }).click();
      await page.waitForURL('**text=MATCH*');
      await expect
        .poll(async () => {
          const texts = await logs.locator('.log-text').allTextContents();
          return texts.length > 0 && texts.every(text => text.includes('match: score'));
        }, patient)
        .toBe(true);
      const [file] = await Promise.all([
        page.waitForEvent('download').catch(() => null),
        page.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(file?.suggestedFilename()).toBe('device-logs.ndjson');

      await page.getByLabel('Contains').fill('nobody ever says this');
      await page.locator('main').getByRole('button', { name: 'Search', exact: true }).click();
      await page.locator('.sentence', { hasText: 'No matching logs' }).waitFor();
    } finally {
      await terminals.stop();
    }
  });

  test('while a reader is further down the logs stand still, and what is new waits for them', async () => {
    await using box = await aUiBox();
    const terminals = await terminalsAt(box, { logs: 10 });
    try {
      const page = await signedIn(box, 'li', '/logs');
      const logs = page.getByRole('table', { name: 'Device logs, newest first' });
      await logs.getByRole('row').nth(40).waitFor();
      await page.mouse.wheel(0, 900);
      await page
        .getByText('Paused while you scroll')
        .or(page.getByText(/newer logs?$/))
        .waitFor();
      const first = await logs.getByRole('row').nth(1).textContent();
      await page.getByText(/^\d+ newer logs/).waitFor();
      expect(await logs.getByRole('row').nth(1).textContent()).toBe(first);
      await page.getByRole('button', { name: 'Jump to newest' }).click();
      expect(await page.evaluate<number>('window.scrollY')).toBe(0);
      await expect.poll(() => logs.getByRole('row').nth(1).textContent(), patient).not.toBe(first);
    } finally {
      await terminals.stop();
    }
  });

  test("the box's own log is read there, by level", async () => {
    await using box = await aUiBox();
    const page = await signedIn(box, 'li', '/logs?tab=system');
    const lines = page.getByRole('table', { name: 'System log, newest first' });
    await lines.getByText('issued the certificate of this box').waitFor();
    await page.getByLabel('Level').selectOption('Errors');
    await page.waitForURL('**level=error');
    await page.getByText('No lines of this level').waitFor();
  });

  test('the log of the box and what each call does are Chinese on Chinese pages', async () => {
    await using box = await aUiBox();
    const page = await signedIn(box, 'li', '/logs?tab=system', { locale: 'zh-CN' });
    await page.getByRole('table').getByText('已签发本网关的证书').waitFor();
    await page.goto('/docs?q=/admin/v1/status');
    await page.getByText('线路、等待上传的记录、设备和磁盘').waitFor();
  });

  test('every call of the box stands in its own pages, with how to make it', async () => {
    await using box = await aUiBox();
    const page = await signedIn(box, 'li', '/docs');
    await page.getByLabel('Search by path or text').fill('employee query');
    await page.waitForURL('**/docs?q=*');
    await page.getByText('/v2.0/employee/query').click();
    await page
      .getByRole('region', { name: 'curl: POST /v2.0/employee/query' })
      .getByText('-H "App-Key: $APP_KEY"')
      .waitFor();
    await page.getByLabel('Search by path or text').fill('/admin/v1/ui/logs');
    await page.getByText(/^1 of \d+ endpoints$/).waitFor();
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'before' }).waitFor();
    expect(page.foreign).toEqual([]);
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { dayOf, wallTime } from '../../src/runtime/wall-time.ts';
import { adminOf } from '../support/admin-token.ts';
import { aMailServer, mailPassword, mailUser, readMail, suiteWithMail } from '../support/mail-server.ts';
import { aCoverageFolder } from '../support/modules-that-ran.ts';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { afternoonZone } from '../support/working-day.ts';

const timezone = afternoonZone(Date.now());
const now = () => wallTime(timezone).text(Date.now() / 1000);
/** An hour and a half ago: due, and not too late. */
const at = wallTime(timezone)
  .text(Date.now() / 1000 - 5400)
  .slice(11, 16);
const first = dayOf(Date.now() - 7 * 24 * 3600_000, timezone).day;

/** Two people whom the day shift has expected since half past eight, in a hall; nobody has come. */
const site = {
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
  ],
  employees: ['Li Lei', 'Han Mei'].map((name, no) => ({
    ...{ ext_id: `e${no}`, name, mobile: '', employee_num: `10${no}` },
    department: { ext_id: 'd1', title: 'Fitter' },
  })),
  shifts: [{ code: 'day', name: 'Day', times: ['08:30-17:30'], breaks: ['12:00-13:00'] }],
  schedules: [{ who: 'site', shift: 'day', from: first }],
};
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A look at once: whoever sets one up wants it to run. */
async function lookNow(box: BoxProcess): Promise<void> {
  const ask = await adminOf(box);
  const settings = { at: '00:00', departments: ['nobody'], channel: 'mail' };
  expect(await ask('PUT', '/attendance/daily-reports/later', { settings })).toMatchObject({ status: 200 });
}

interface Answers {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, never>;
}

/** Answers as the robots of DingTalk, Feishu and WeCom do. */
async function aRobot(): Promise<{ url: string; calls: Answers[] } & AsyncDisposable> {
  const calls: Answers[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url!, 'http://robot');
    calls.push({ path: pathname, query: searchParams, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
    response.end(JSON.stringify(pathname === '/feishu' ? { code: 0, msg: 'success' } : { errcode: 0, errmsg: 'ok' }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  };
}

suiteWithMail('daily attendance reports of a real box', () => {
  test('a mail to the head of a department, by the server of the alerts, once also across a kill', async () => {
    await using server = await aMailServer();
    const mail = {
      ...{ host: '127.0.0.1', port: server.port, user: mailUser, password: mailPassword },
      ...{ from: mailUser, to: ['it@plant.example'] },
    };
    const report = { name: 'hall', at, departments: ['d1'], channel: 'mail', to: ['head@plant.example'] };
    const config = {
      ...{ site: { name: 'Plant 4', locale: 'en', timezone }, upstream: { ca: `file:${server.caFile}` } },
      ...{ alerts: { mail }, attendance: { daily_reports: [report] } },
    };
    await using box = await BoxProcess.start(config, site);
    await lookNow(box);
    const isReport = ({ headers }: ReturnType<typeof readMail>) => headers.subject?.includes('Attendance');
    await until('the mail comes', () => server.mails.map(readMail).find(isReport));
    const ask = await adminOf(box);
    const states = async () => (await ask('GET', '/attendance/daily-reports')).text;
    await until('it is noted', async () => (await states()).includes('"state":"sent"'));
    await box.kill9();
    await box.start();
    await lookNow(box);
    const again = await adminOf(box);
    expect(await again('POST', '/attendance/daily-reports/hall/test')).toMatchObject({ json: { sent: true } });
    const mails = server.mails.filter(one => isReport(readMail(one)));
    expect(mails.map(({ to }) => to)).toEqual([['head@plant.example'], ['head@plant.example']]);
    const [sent, tested] = mails.map(readMail);
    expect(tested!.headers.subject).toBe(`Test: ${sent!.headers.subject}`);
    expect(sent!.headers.subject).toMatch(/^\[Plant 4\] Attendance, \w{3},? \d+ \w+: 2 of 2 absent$/);
    expect(sent!.body).toContain('Absent: Li Lei (08:30), Han Mei (08:30)\r\n');
    expect(sent!.body).toMatch(/\r\nhttps:\/\/\S+\/attendance\?day=\d{4}-\d\d-\d\d\r\n/);
    expect(sent!.headers['message-id']).toMatch(new RegExp(`^<daily-report-[0-9a-f]{12}-${now().slice(0, 10)}@`));
  });
});

test('a box that is killed between sending and noting sends it once more, with the same id', async () => {
  await using receiver = new WebhookReceiver();
  receiver.secret = secret;
  const url = await receiver.listen();
  // The answer does not arrive before the box is killed.
  const held = Promise.withResolvers<void>();
  receiver.answers = held.promise;
  const report = { name: 'board', at, channel: 'webhook', url, secret, language: 'zh' };
  const config = { site: { name: 'Plant 4', timezone }, attendance: { daily_reports: [report] } };
  await using box = await BoxProcess.start(config, site);
  await lookNow(box);
  await until('it is called', () => receiver.calls.length > 0);
  await box.kill9();
  held.resolve();
  receiver.answers = Promise.resolve();
  await box.start();
  await lookNow(box);
  await until('it is called again', () => receiver.calls.length > 1);
  const [one, other] = receiver.calls;
  expect(other!.id).toBe(one!.id);
  expect(receiver.calls.every(({ isSigned }) => isSigned)).toBe(true);
  expect(other!.body).toMatchObject({
    type: 'attendance.daily_report',
    data: { name: 'board', due: 2, came: 0, absent: 2, title: expect.stringContaining('应到 2 人，缺勤 2 人') },
  });
});

test('the robots get it in their documented formats, and what fails is said', async () => {
  await using robot = await aRobot();
  const to = (channel: string) => ({ name: channel, at, channel, url: `${robot.url}/${channel}`, language: 'zh' });
  const daily_reports = [{ ...to('dingtalk'), secret: 'SEC1' }, { ...to('feishu'), secret: 'SEC2' }, to('wecom')];
  const config = {
    site: { name: 'Plant 4', timezone },
    attendance: { daily_reports: [...daily_reports, { name: 'nowhere', at, channel: 'wecom' }] },
  };
  await using box = await BoxProcess.start(config, site);
  await lookNow(box);
  await until('all three were called', () => robot.calls.length >= 3);
  const of = (name: string) => robot.calls.find(({ path }) => path === `/${name}`)!;
  const said = expect.stringMatching(/考勤日报 .*应到 2 人，缺勤 2 人[\s\S]*缺勤：Li Lei（08:30）、Han Mei（08:30）/);
  expect(of('dingtalk').body).toEqual({ msgtype: 'markdown', markdown: { title: expect.any(String), text: said } });
  expect([...of('dingtalk').query.keys()]).toEqual(['timestamp', 'sign']);
  expect(of('feishu').body).toEqual({
    ...{ timestamp: expect.stringMatching(/^\d{10}$/), sign: expect.any(String) },
    ...{ msg_type: 'text', content: { text: said } },
  });
  expect(of('wecom').body).toEqual({ msgtype: 'markdown', markdown: { content: said } });
  const ask = await adminOf(box);
  const last = async () => {
    const { rows } = (await ask('GET', '/attendance/daily-reports')).json as { rows: { name: string; last: object }[] };
    return rows.find(({ name }) => name === 'nowhere')!.last;
  };
  await until('the fourth was tried', last);
  expect(await last()).toMatchObject({ state: 'failing', why: 'it is not set up', code: 'channel_not_set_up' });
  expect(JSON.stringify((await ask('GET', '/attendance/daily-reports')).json)).not.toContain(robot.url);
  expect(await ask('GET', '/attendance/daily-reports/wecom/preview')).toMatchObject({
    json: { scheduled: true, title: expect.stringContaining('缺勤 2 人') },
  });
  expect(await ask('POST', '/attendance/daily-reports/nowhere/test')).toMatchObject({ json: { sent: false } });
});

test('a box without one loads nothing of them', async () => {
  await using folder = await aCoverageFolder();
  await using box = await BoxProcess.start({}, site, { NODE_V8_COVERAGE: folder.path });
  expect(await box.stop(), box.stderr).toBe(0);
  expect((await folder.modulesThatRan()).filter(name => name.includes('daily-report/'))).toEqual([]);
});

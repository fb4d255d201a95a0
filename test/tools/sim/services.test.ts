import { expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import { type SimCloud, type SimCloudOptions, startSimCloud } from '../../../tools/sim/index.ts';
import { AttendanceCaller } from '../../support/attendance.ts';
import { HandClock, seededRandom } from '../../support/clock.ts';
import { ServiceCaller } from '../../support/services.ts';

const portal = { app_id: 'hr-portal', app_key: 'k1' };
const services = {
  apps: [portal, { app_id: 'kiosk', app_key: 'k2' }],
  message_templates: [{ template: 'late', title: 'Late', body: '{{name}} came at {{time}}' }],
  app_upgrades: [
    { app_code: 'panel', version: '1.2.0', url: 'https://files.example/1.2.0' },
    { app_code: 'panel', version: '1.10.0', url: 'https://files.example/1.10.0', upgrade_type: 'force' },
  ],
};
const oauth = {
  oauth_clients: [{ client_id: 'c1', client_secret: 'cs1', redirect_uris: ['https://canteen.local/cb'] }],
  users: [{ name: 'mei', password: 'right horse' }],
};
const attendance = { attendance_callers: [{ app_key: 'ak1', app_secret: 'as1' }] };

const aCloud = (options: Partial<SimCloudOptions> = {}) =>
  startSimCloud({
    clock: realClock,
    random: seededRandom(1),
    products: [],
    services,
    oauth,
    attendance,
    ...options,
  });
const callerOf = (cloud: SimCloud, app = portal, now = Date.now) => new ServiceCaller(cloud.urls.deviceHttp!, now, app);

test('a header that is missing or old is 400, a wrong signature 401', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const status = async (headers: Record<string, string | null>) =>
    (await caller.call('/api/1.0.0/holiday', { headers })).status;
  for (const name of ['app_id', 'timestamp', 'nonce', 'sig']) expect(await status({ [name]: null })).toBe(400);
  expect(await status({ timestamp: String(Date.now() - 601_000) })).toBe(400);
  expect(await status({ sig: '0'.repeat(32) })).toBe(401);
  expect(await status({ app_id: 'nobody' })).toBe(401);
  expect(await status({})).toBe(200);
});

test('holidays by year and by day', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const { data } = await caller.call('/api/1.0.0/holiday?year=2026');
  expect(data.year).toBe(2026);
  expect(data.holidays[0]).toEqual({
    code: 'NEW_YEAR',
    name: '元旦',
    days: [{ day: '2026-01-01', name: '元旦', type: 'BREAK' }],
  });
  const day = async (date: string) => (await caller.call(`/api/1.0.0/holiday/day?date=${date}`)).data;
  expect(await day('2026-10-10')).toMatchObject({ type: 'WORK', name: '国庆节调休' });
  expect(await day('2026-11-22')).toEqual({ day: '2026-11-22', name: '', type: 'BREAK' });
  expect((await caller.call('/api/1.0.0/holiday/day?date=2026-02-30')).status).toBe(400);
});

test('the weather is the same within an hour and changes with the next', async () => {
  const clock = new HandClock();
  await using cloud = await aCloud({ clock });
  const caller = callerOf(cloud, portal, () => clock.now());
  const weather = async () => (await caller.call('/api/1.0.0/weather?city=shanghai')).data;
  await clock.advance(3_600_000 - (clock.now() % 3_600_000));
  const first = await weather();
  expect(Object.keys(first)).toEqual('temp icon_url text wind360 humidity precip pressure vis cloud dew'.split(' '));
  await clock.advance(1_800_000);
  expect(await weather()).toEqual(first);
  await clock.advance(1_800_000);
  expect(await weather()).not.toEqual(first);
});

test('speech is an mp3 that the answer names', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const { data } = await caller.call(`/api/1.0.0/tts?text=${encodeURIComponent('早上好')}`);
  expect(data.origin_str).toBe('早上好');
  const mp3 = new Uint8Array(await (await fetch(data.mp3_address)).arrayBuffer());
  expect([...mp3.subarray(0, 2)]).toEqual([0xff, 0xfb]);
  expect((await caller.call(`/api/1.0.0/tts?text=${'x'.repeat(65)}`)).status).toBe(400);
});

test('a message is taken once, and its result comes later; a number that ends in 0000 fails', async () => {
  const clock = new HandClock();
  await using cloud = await aCloud({ clock });
  const caller = callerOf(cloud, portal, () => clock.now());
  const body = (mobile: string) => ({
    content: { template: 'late', template_params: { name: 'Li Mei', time: '09:12' } },
    target: [{ mobile, mobile_region: '86' }],
  });
  const path = '/api/1.0.0/message/short-message';
  const signature = caller.signature();
  const { data: id } = await caller.post(path, body('13800000001'), { headers: signature });
  expect((await caller.post(path, body('13800000001'), { headers: signature })).data).toBe(id);
  expect((await caller.post(path, body('13800000002'), { headers: signature })).status).toBe(400);
  const { data: failing } = await caller.post(path, body('13800000000'));
  const results = async (of = caller) =>
    (await of.call(`${path}?msgIdList=${id},${failing}`)).data.msg_detail_list.map(
      (one: { result: number }) => one.result,
    );
  expect(await results()).toEqual([0, 0]);
  await clock.advance(2000);
  expect(await results()).toEqual([1, 2]);
  expect(await results(callerOf(cloud, { app_id: 'kiosk', app_key: 'k2' }, () => clock.now()))).toEqual([]);
  expect(cloud.messages.taken()).toMatchObject([{ body: 'Li Mei came at 09:12' }, { msg_id: failing }]);
  const push = { ...body('1'), platforms: ['android'], target: { identities: ['a', 'b'] } };
  const { data: pushed } = await caller.post('/api/1.0.0/message/app', push);
  await clock.advance(2000);
  expect((await caller.call(`/api/1.0.0/message/app?msgIdList=${pushed}`)).data).toMatchObject([
    { msg_id: pushed, title: 'Late', android_send: 2, ios_send: 0 },
  ]);
});

test('the newest upgrade that is newer, none as an empty object, and all of them in pages', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const get = async (path: string) => (await caller.call(`/api/1.0.0/${path}`)).data;
  expect(await get('app-upgrade/panel?version=1.2.0')).toMatchObject({ version: '1.10.0', upgrade_type: 'force' });
  expect(await get('app-upgrade/panelversion=1.2.0')).toMatchObject({ version: '1.10.0' });
  expect(await get('app-upgrade/panel?version=1.10.0')).toEqual({});
  expect(await get('app/page/panel?page=1&size=1')).toMatchObject({
    total: 2,
    total_page: 2,
    rows: [{ version: '1.10.0' }],
  });
});

test('files, raw and in a form: public ones have a link, others their id alone and belong to their app', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const raw = await caller.call('/api/v1.0.0/file?client=A0001&name=a.txt&public=true&https=false', {
    body: 'hello',
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(await (await fetch(raw.data.public_url)).text()).toBe('hello');
  const form = new FormData();
  form.set('file', new Blob(['in a form']), 'b.txt');
  const other = await caller.call('/api/v1.0.0/file?client=A0001&expire=60000', { body: form });
  expect(other.data).toEqual({ file_id: expect.any(String) });
  expect((await caller.call(`/api/v1.0.0/file/${other.data.file_id}`)).code).toBe(0);
  const kiosk = callerOf(cloud, { app_id: 'kiosk', app_key: 'k2' });
  expect((await kiosk.call(`/api/v1.0.0/file/${other.data.file_id}`)).code).toBe(404);
  expect((await kiosk.call(`/api/v1.0.0/file/${raw.data.file_id}`)).code).toBe(0);
});

test('OAuth: a person signs in, the code works once, a refresh keeps its refresh_token', async () => {
  await using cloud = await aCloud();
  const url = cloud.urls.deviceHttp;
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: 'c1',
    redirect_uri: 'https://canteen.local/cb',
    state: 's',
  });
  const form = new URLSearchParams({ name: 'mei', password: 'right horse', decision: 'allow' });
  const signIn = await fetch(`${url}/oauth/authorize?${asked}`, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(signIn.headers.get('location')!);
  expect(back.searchParams.get('state')).toBe('s');
  const token = async (given: Record<string, string>): Promise<Record<string, unknown>> => {
    const answer = await fetch(
      `${url}/oauth/token?${new URLSearchParams({ client_id: 'c1', client_secret: 'cs1', ...given })}`,
    );
    return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
  };
  const grant = { grant_type: 'authorization_code', code: back.searchParams.get('code')! };
  const first = await token(grant);
  expect(first).toMatchObject({ status: 200, token_type: 'bearer', expires_in: 3600, scope: 'read' });
  expect(await token(grant)).toMatchObject({ status: 400, error: 'invalid_grant' });
  const refreshed = await token({ grant_type: 'refresh_token', refresh_token: String(first.refresh_token) });
  expect(refreshed).toMatchObject({ expires_in: 2_592_000, refresh_token: first.refresh_token });
  const info = await fetch(`${url}/api/getUserInfo?access_token=${refreshed.access_token}`);
  expect(await info.json()).toEqual({ openid: expect.any(String), name: 'mei', headimgurl: '' });
});

test('each API fails by itself in each way, and the others do not', async () => {
  const clock = new HandClock();
  await using cloud = await aCloud({ clock });
  const caller = callerOf(cloud, portal, () => clock.now());
  const day = () => caller.call('/api/1.0.0/holiday/day?date=2026-11-20');
  const fails = async (kind: Parameters<typeof cloud.apiFaults.set>[1]) => {
    cloud.apiFaults.clear();
    cloud.apiFaults.set('holidays', kind);
    return day();
  };
  expect(await fails('error')).toMatchObject({ status: 503 });
  expect(await fails('limit')).toMatchObject({ status: 429 });
  expect(await fails('code')).toMatchObject({ status: 200, code: 500 });
  expect(await fails('differ')).toMatchObject({ status: 200, data: { day: '2026-11-20~' } });
  await expect(fails('cut')).rejects.toThrow();
  expect(await caller.call('/api/1.0.0/weather?city=beijing')).toMatchObject({ status: 200, code: 0 });
  const slow = fails('slow');
  let isThere = false;
  void slow.then(() => {
    isThere = true;
  });
  while (!isThere) await clock.advance(500);
  expect((await slow).code).toBe(0);
  cloud.apiFaults.set('attendance', 'limit');
  const payroll = new AttendanceCaller(cloud.urls.deviceHttp!, () => clock.now());
  expect(await payroll.call('/v2.0/employee/query')).toMatchObject({ status: 200, code: 110 });
  expect(cloud.stats().apiFaults).toMatchObject({ 'holidays.cut': 1, 'attendance.limit': 1 });
});

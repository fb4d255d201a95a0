import { expect, test } from 'vitest';
import { aServicePair } from '../../support/service-pair.ts';
import { aServiceBox, kiosk, type ServiceBox } from '../../support/services.ts';
import { until } from '../../support/until.ts';

const templates = {
  message_templates: [
    { template: 'late', title: 'Late: {{name}}', body: '{{name}} came at {{time}}' },
    { template: 'code', body: 'Your code is {{ code }}' },
  ],
};
const app = '/api/1.0.0/message/app';
const sms = '/api/1.0.0/message/short-message';

const late = (change: object = {}) => ({
  content: { template: 'late', template_params: { name: 'Li Mei', time: '9:05' }, extra: { link: 'x' } },
  platforms: ['android', 'ios'],
  target: { identities: ['mei'] },
  ...change,
});
const code = (count = 1, change: object = {}) => ({
  content: { template: 'code', template_params: { code: 1234 } },
  target: Array.from({ length: count }, (_, index) => ({
    mobile: String(13_800_000_000 + index),
    mobile_region: '86',
  })),
  ...change,
});

/** An app on a phone that holds an event stream. */
async function anApp(box: ServiceBox, query: string, caller = box.caller, lastId?: string) {
  const ended = new AbortController();
  const answer = await fetch(`${box.url}${app}/stream?${query}`, {
    headers: { ...caller.signature(), ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: ended.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>)
      text += Buffer.from(chunk).toString('utf8');
  })().catch(() => {});
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    got: () => [...text.matchAll(/^data: (.*)$/gm)].map(match => JSON.parse(match[1]!)),
    text: () => text,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await reading;
    },
  };
}

test('empty fields may be an array of PHP or a nil map of Go', async () => {
  const site = { message_templates: [{ template: 'plain', title: 'Fire drill', body: 'Leave the hall' }] };
  await using box = await aServiceBox({ site });
  for (const empty of [[], null]) {
    const content = { template: 'plain', template_params: empty, extra: empty };
    const target = { identities: ['mei'], tags: empty };
    expect(await box.caller.post(app, late({ content, target }))).toMatchObject({ code: 0 });
    expect(
      await box.caller.post(sms, code(1, { content: { template: 'plain', template_params: empty } })),
    ).toMatchObject({ code: 0 });
  }
});

test('a push is rendered, reaches the apps that hold a stream by identity, tag and platform, and is counted by platform', async () => {
  await using box = await aServiceBox({ site: templates });
  await using mei = await anApp(box, 'identity=mei&platform=android');
  await using tablet = await anApp(box, 'identity=mei&platform=ios');
  await using hall = await anApp(box, 'identity=wall&platform=android&tags=hall,shift-b');
  await using other = await anApp(box, 'identity=mei&platform=android', box.callerOf(kiosk));
  expect([mei.status, mei.type]).toEqual([200, 'text/event-stream']);
  const { data: id } = await box.caller.post(app, late());
  expect(id).toMatch(/^gh[0-9a-f]{24}$/);
  const message = { msg_id: id, title: 'Late: Li Mei', body: 'Li Mei came at 9:05', payload: { link: 'x' } };
  await until('both have it', () => mei.got().length === 1 && tablet.got().length === 1);
  expect(mei.got()).toEqual([message]);
  expect((await box.caller.call(`${app}?msgIdList=${id}`)).data).toEqual([
    { ...message, android_send: 1, ios_send: 1 },
  ]);

  const { data: tagged } = await box.caller.post(app, late({ target: { tags: ['hall'] }, platforms: ['android'] }));
  await until('the hall has it', () => hall.got().length === 1);
  expect((await box.caller.call(`${app}?msgIdList=${tagged}`)).data).toMatchObject([{ android_send: 1, ios_send: 0 }]);
  const { data: nobody } = await box.caller.post(app, late({ target: { identities: ['nobody'] } }));
  expect((await box.caller.call(`${app}?msgIdList=${nobody}`)).data).toMatchObject([{ android_send: 0, ios_send: 0 }]);
  expect(other.got()).toEqual([]);
});

test('an app that lost its stream gets what it has missed, by the id that it had last, and it is counted once', async () => {
  await using box = await aServiceBox({ site: templates });
  const push = async (change: object = {}) => (await box.caller.post(app, late(change))).data as string;
  const had = await push();
  const missed = [await push(), await push()];
  await push({ target: { identities: ['wu'] } });
  await push({ platforms: ['ios'] });
  await using mei = await anApp(box, 'identity=mei&platform=android', box.caller, had);
  await until('it has them', () => mei.got().length === 2);
  const now = await push();
  await until('it goes on', () => mei.got().length === 3);
  expect(mei.got().map(one => one.msg_id)).toEqual([...missed, now]);
  await until('they are counted', async () => {
    const { data } = await box.caller.call(`${app}?msgIdList=${[...missed, now].join(',')}`);
    return data.every(
      (one: { android_send: number; ios_send: number }) => one.android_send === 1 && one.ios_send === 0,
    );
  });
  await using stranger = await anApp(box, 'identity=mei&platform=android', box.callerOf(kiosk), had);
  await using fresh = await anApp(box, 'identity=mei&platform=android', box.caller, 'unknown');
  await box.clock.advance(25_000);
  await until('both beat', () => stranger.text().includes('beat') && fresh.text().includes('beat'));
  expect([stranger.got(), fresh.got()]).toEqual([[], []]);
});

test('a stream beats, so that nothing on the way drops it', async () => {
  await using box = await aServiceBox({ site: templates });
  await using mei = await anApp(box, 'identity=mei&platform=android');
  await box.clock.advance(25_000);
  await until('it beats', () => mei.text().includes(': beat'));
});

test.each([
  ['no template', late({ content: {} }), 'content.template'],
  [
    'a parameter that the template needs',
    late({ content: { template: 'late', template_params: { name: 'x' } } }),
    'content.template_params.time: needed',
  ],
  ['no platform', late({ platforms: [] }), 'platforms'],
  ['another platform', late({ platforms: ['windows'] }), 'platforms.0'],
  ['nobody', late({ target: {} }), 'nobody is not everybody'],
])('a push with %s is 400 that names it', async (_what, body, reason) => {
  await using box = await aServiceBox({ site: templates });
  expect(await box.caller.post(app, body)).toMatchObject({ status: 400, msg: expect.stringContaining(reason) });
});

test('a template that nobody has is a failure in words', async () => {
  await using box = await aServiceBox({ site: templates });
  const body = late({ content: { template: 'unknown' } });
  expect(await box.caller.post(app, body)).toMatchObject({
    status: 200,
    code: 404,
    msg: expect.stringContaining('"unknown": no such template'),
  });
});

test('a stream says who it is for', async () => {
  await using box = await aServiceBox({ site: templates });
  for (const query of ['platform=android', 'identity=mei', 'identity=mei&platform=windows'])
    expect((await box.caller.call(`${app}/stream?${query}`)).status).toBe(400);
});

test('a short message takes 1000 numbers and no more, with the area code in both forms', async () => {
  await using box = await aServiceBox({ site: templates });
  const { data: id } = await box.caller.post(sms, code(1000));
  const [found] = (await box.caller.call(`${sms}?msgIdList=${id}`)).data.msg_detail_list;
  expect(found).toMatchObject({ msg_id: id, body: 'Your code is 1234', result: 0 });
  expect(found.mobiles).toHaveLength(1000);
  expect(await box.caller.post(sms, code(1001))).toMatchObject({ status: 400, msg: expect.stringContaining('target') });
  expect((await box.caller.post(sms, code(0))).status).toBe(400);
  const plus = code(1, { target: [{ mobile: '13800000000', mobile_region: '+86' }] });
  expect((await box.caller.post(sms, plus)).code).toBe(0);
  for (const target of [[{ mobile: '138-000', mobile_region: '86' }], [{ mobile: '13800000000' }]])
    expect((await box.caller.post(sms, code(1, { target }))).status).toBe(400);
});

test('ids are asked for ten at a time; unknown ones, doubled ones and those of another app or kind are left out', async () => {
  await using box = await aServiceBox({ site: templates });
  const { data: id } = await box.caller.post(app, late());
  const ids = (list: string, caller = box.caller) => caller.call(`${app}?msgIdList=${list}`);
  expect((await ids(`${id},${id},unknown`)).data).toHaveLength(1);
  expect((await ids(id, box.callerOf(kiosk))).data).toEqual([]);
  expect((await box.caller.call(`${sms}?msgIdList=${id}`)).data).toEqual({ msg_detail_list: [] });
  expect((await ids(Array.from({ length: 11 }, (_, index) => `m${index}`).join(','))).status).toBe(400);
  expect((await ids('')).status).toBe(400);
});

test('the same call again sends nothing twice', async () => {
  await using box = await aServiceBox({ site: templates });
  await using mei = await anApp(box, 'identity=mei&platform=android');
  const headers = box.caller.signature();
  const first = await box.caller.post(app, late(), { headers });
  expect((await box.caller.post(app, late(), { headers })).data).toBe(first.data);
  expect((await box.caller.post(app, late({ platforms: ['ios'] }), { headers })).status).toBe(400);
  expect(mei.got().length).toBeLessThan(2);
});

test('a short message that no line takes for three days has failed', async () => {
  await using box = await aServiceBox({ site: templates });
  const { data: id } = await box.caller.post(sms, code());
  await box.clock.advance(72 * 3600_000 + 1);
  await box.services.retire();
  expect((await box.caller.call(`${sms}?msgIdList=${id}`)).data.msg_detail_list).toMatchObject([{ result: 2 }]);
});

test('with the line cut messages wait; they are relayed once and in order, though answers are lost on the way', async () => {
  await using pair = await aServicePair({ site: templates, atCloud: templates });
  const { box, cloud, line } = pair;
  line.isUp = false;
  const sent: string[] = [];
  for (let turn = 0; turn < 15; turn++)
    sent.push(
      (await box.caller.post(sms, code(1, { content: { template: 'code', template_params: { code: turn } } }))).data,
    );
  expect((await box.services.waiting()).messages).toBe(15);
  line.isUp = true;
  line.loseAnswers = true;
  await pair.eventually('one was sent', () => line.asked.length >= 3);
  line.loseAnswers = false;
  await pair.eventually('all are relayed', async () => (await box.services.waiting()).messages === 0);

  const there = await cloud.opened.store.read.messagesToRelay('waits', 100);
  expect(there.map(one => one.content.body)).toEqual(sent.map((_, turn) => `Your code is ${turn}`));
  for (const { msgId } of there) await cloud.opened.store.write.settleMessage({ msgId, relay: 'sent', result: 1 });
  await pair.eventually('the results are here', async () => {
    const { data } = await box.caller.call(`${sms}?msgIdList=${sent.slice(0, 10).join(',')}`);
    return data.msg_detail_list.every((one: { result: number }) => one.result === 1);
  });
});

test('what the cloud refuses for good is a failure with its reason, and holds up nothing', async () => {
  await using pair = await aServicePair({
    site: templates,
    atCloud: { message_templates: [templates.message_templates[1]!] },
  });
  const { box } = pair;
  await box.caller.post(app, late());
  const { data: id } = await box.caller.post(sms, code());
  await pair.eventually('both are done', async () => (await box.services.waiting()).messages === 0);
  expect((await box.services.waiting()).refused).toBe(1);
  expect((await box.caller.call(`${sms}?msgIdList=${id}`)).data.msg_detail_list).toMatchObject([{ result: 0 }]);
});

test("counts of the cloud's deliveries are added to the box's own", async () => {
  await using pair = await aServicePair({ site: templates, atCloud: templates });
  const { box, cloud } = pair;
  await using here = await anApp(box, 'identity=mei&platform=android');
  await using there = await anApp(cloud, 'identity=mei&platform=android', cloud.callerOf(kiosk));
  const { data: id } = await box.caller.post(app, late());
  await pair.eventually('both are counted', async () => {
    const { data } = await box.caller.call(`${app}?msgIdList=${id}`);
    return data[0].android_send === 2;
  });
  expect([here.got().length, there.got().length]).toEqual([1, 1]);
});

test('a message that only the cloud has is asked of it and kept, for the app that asked; with the line cut the answer says so', async () => {
  await using pair = await aServicePair({ atCloud: templates });
  const { box, cloud, line } = pair;
  const there = cloud.callerOf(kiosk);
  const { data: id } = await there.post(app, late());
  const { data: text } = await there.post(sms, code());
  const ask = (path: string, ids: string, caller = box.caller) => caller.call(`${path}?msgIdList=${ids}`);
  const push = { msg_id: id, title: 'Late: Li Mei', body: 'Li Mei came at 9:05', payload: { link: 'x' } };
  expect((await ask(app, id)).data).toMatchObject([push]);
  expect((await ask(sms, text)).data.msg_detail_list).toMatchObject([
    { msg_id: text, body: 'Your code is 1234', mobiles: ['13800000000'], result: 0 },
  ]);
  expect((await ask(app, 'nobody')).data).toEqual([]);
  line.isUp = false;
  expect((await ask(app, id)).data).toMatchObject([push]);
  expect((await ask(app, id, box.callerOf(kiosk))).data).toEqual([]);
  expect(await ask(app, `${id},nobody`)).toMatchObject({
    status: 503,
    msg: 'msgIdList "nobody": not known here, and the cloud cannot be reached now: ask again when the line is up',
  });
});

test("a message that the box relayed is no other app's under the cloud's id", async () => {
  await using pair = await aServicePair({ site: templates, atCloud: templates });
  const { box } = pair;
  const { data: id } = await box.caller.post(app, late());
  const stored = () => box.opened.store.read.message(id);
  await pair.eventually('it is relayed', async () => (await stored())?.cloudMsgId != null);
  const { cloudMsgId } = (await stored())!;
  expect((await box.callerOf(kiosk).call(`${app}?msgIdList=${cloudMsgId}`)).data).toEqual([]);
});

test("a template that only the cloud has fills title and body with the cloud's words", async () => {
  await using pair = await aServicePair({ atCloud: templates });
  const { box } = pair;
  const { data: id } = await box.caller.post(app, late());
  const { data: text } = await box.caller.post(sms, code());
  await pair.eventually('both have their words', async () => {
    const [push] = (await box.caller.call(`${app}?msgIdList=${id}`)).data;
    const [short] = (await box.caller.call(`${sms}?msgIdList=${text}`)).data.msg_detail_list;
    return push.title === 'Late: Li Mei' && push.body === 'Li Mei came at 9:05' && short.body === 'Your code is 1234';
  });
});

import { expect, test } from 'vitest';
import { aBox, type LocalBox } from '../../support/box.ts';
import { aClient } from '../../support/every-caller.ts';
import { aSite, productKey } from '../../support/site.ts';
import { MqttTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

interface Row {
  readonly id: string;
  readonly state: string;
  readonly status: number | null;
  readonly attempts: number;
  readonly next_at: number | null;
}

/** A box with a terminal, and an administrator who asks by the admin API. */
class Site implements AsyncDisposable {
  readonly box: LocalBox;
  readonly #token: string;
  readonly #terminal: MqttTerminal;

  private constructor(box: LocalBox, token: string) {
    this.box = box;
    this.#token = token;
    const identity = { deviceId: 'FACE-T1_A0001', key: productKey };
    this.#terminal = new MqttTerminal(identity, `mqtts://${box.addresses.mqtts}`, { ca: box.opened.caPem! });
  }

  static async open(config: Record<string, unknown> = {}): Promise<Site> {
    const box = await aBox(config, aSite());
    return new Site(box, (await box.ask('token', 'create', '--role', 'admin')).trim());
  }

  async ask(method: string, path: string, body?: object) {
    const ca = this.box.opened.caPem;
    using client = aClient({ address: this.box.addresses.https!, ...(ca ? { ca } : {}) });
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await client.ask({ method, path: `/admin/v1${path}`, headers, ...sent });
    return { status: answer.status, json: JSON.parse(answer.body) };
  }

  async add(receiver: WebhookReceiver, change: object = {}): Promise<void> {
    const url = await receiver.listen();
    const added = await this.ask('POST', '/webhooks', { name: 'payroll', url, kinds: ['checkins'], ...change });
    expect(added.status).toBe(200);
    receiver.secret = added.json.secret;
  }

  change(change: object) {
    return this.ask('PUT', '/webhooks/payroll', change);
  }

  async deliveries(): Promise<Row[]> {
    return (await this.ask('GET', '/webhooks/payroll/deliveries')).json.rows;
  }

  async punch(count = 1): Promise<void> {
    for (let sent = 0; sent < count; sent++) await this.#terminal.say('device');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminal.end();
    await this.box[Symbol.asyncDispose]();
  }
}

test('a webhook that was added gets the next event, signed with the secret that was told once', async () => {
  await using receiver = new WebhookReceiver();
  await using site = await Site.open();
  await site.punch();
  await site.add(receiver);
  expect(receiver.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await site.punch();
  await until('the event has come', () => receiver.calls.length > 0);
  expect(receiver.calls[0]).toMatchObject({ isSigned: true, body: { data: { events: [{ seq: 2 }] } } });
  const [delivery] = await until('it is noted', async () => {
    const rows = await site.deliveries();
    return rows.length > 0 ? rows : null;
  });
  expect(delivery).toMatchObject({
    kind: 'checkins',
    count: 1,
    state: 'taken',
    status: 200,
    attempts: 1,
    next_at: null,
  });
  const { json } = await site.ask('GET', '/webhooks');
  const host = new URL(receiver.address()).host;
  expect(json.rows).toMatchObject([{ name: 'payroll', host, fixed: false, paused: false, last: { status: 200 } }]);
  const told = JSON.stringify([json, await site.deliveries(), (await site.ask('GET', '/audit')).json]);
  expect(told).not.toContain(receiver.secret);
  expect(told).not.toContain('/hook');
});

test('an edit while a call is under way sends no event twice, and the next goes to the new address', async () => {
  await using first = new WebhookReceiver();
  await using second = new WebhookReceiver();
  await using site = await Site.open();
  await site.add(first);
  const answer = Promise.withResolvers<void>();
  first.answers = answer.promise;
  await site.punch();
  await until('the call is under way', () => first.calls.length === 1);
  const changed = await site.change({ url: await second.listen() });
  expect(changed.status).toBe(200);
  expect(changed.json.secret).toMatch(/^whsec_/);
  expect(changed.json.secret).not.toBe(first.secret);
  second.secret = changed.json.secret;
  answer.resolve();
  await site.punch(2);
  await until('the others have come', () => second.taken.length === 2);
  expect([first.counts, second.counts]).toEqual([{ 1: 1 }, { 2: 1, 3: 1 }]);
  expect(second.calls.every(({ isSigned }) => isSigned)).toBe(true);
});

test('what comes while a webhook is paused waits, also over a restart, and is sent once', async () => {
  await using receiver = new WebhookReceiver();
  await using site = await Site.open();
  await site.add(receiver);
  await site.punch();
  await until('the first has come', () => receiver.taken.length === 1);
  await until('it is noted', async () => (await site.deliveries()).length === 1);
  expect((await site.change({ paused: true })).json).toEqual({ secret: null });
  await site.punch(2);
  await site.box.stop();
  await site.box.start();
  await site.punch();
  expect(await site.deliveries()).toHaveLength(1);
  expect((await site.ask('GET', '/webhooks')).json.rows).toMatchObject([{ paused: true }]);
  expect(receiver.taken).toEqual([1]);
  await site.change({ paused: false });
  await until('all have come', () => receiver.taken.length === 4);
  expect(receiver.counts).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1 });
  expect(receiver.calls.every(({ isSigned }) => isSigned)).toBe(true);
});

test('one that is deleted and added again, or a kind that comes back, begins with the next event', async () => {
  await using receiver = new WebhookReceiver();
  await using site = await Site.open();
  await site.add(receiver);
  expect((await site.change({ kinds: ['logs'] })).status).toBe(200);
  await site.punch();
  await site.change({ kinds: ['checkins', 'logs'] });
  await site.punch();
  await until('the second has come', () => receiver.taken.length === 1);
  expect((await site.ask('DELETE', '/webhooks/payroll')).status).toBe(200);
  expect((await site.ask('GET', '/webhooks/payroll/deliveries')).status).toBe(404);
  await site.punch();
  const url = receiver.address();
  const added = await site.ask('POST', '/webhooks', { name: 'payroll', url, kinds: ['checkins'] });
  receiver.secret = added.json.secret;
  expect(await site.deliveries()).toEqual([]);
  await site.punch();
  await until('the fourth has come', () => receiver.taken.length === 2);
  expect(receiver.counts).toEqual({ 2: 1, 4: 1 });
});

test('a test says what the receiver answered; a message is sent again, at once if it waits', async () => {
  await using receiver = new WebhookReceiver();
  await using site = await Site.open();
  await site.add(receiver);
  const tested = await site.ask('POST', '/webhooks/payroll/test');
  expect(tested.json).toMatchObject({ taken: true, status: 200, why: '', answer: 'thanks' });
  expect(receiver.calls[0]).toMatchObject({ isSigned: true, body: { type: 'events.test' } });
  receiver.status = 503;
  const failed = await site.ask('POST', '/webhooks/payroll/test');
  expect(failed.json).toMatchObject({ taken: false, status: 503, code: 'webhook_answers', answer: 'no' });
  await site.punch();
  const noted = async () => (await site.deliveries())[0];
  const waiting = await until('the failure', async () => ((await noted())?.state === 'failed' ? noted() : null));
  const again = () => site.ask('POST', '/webhooks/payroll/again', { id: waiting.id });
  await site.change({ paused: true });
  expect(await again()).toMatchObject({ status: 409, json: { title: 'paused' } });
  receiver.status = 200;
  await site.change({ paused: false });
  await until('it is taken', async () => (await noted())?.state === 'taken');
  const sent = await again();
  expect(sent.json.delivery).toMatchObject({ id: waiting.id, state: 'taken', attempts: 3 });
  receiver.status = 500;
  expect((await again()).json.delivery).toMatchObject({ state: 'failed', status: 500, next_at: null });
  expect((await site.ask('POST', '/webhooks/nobody/test')).status).toBe(404);
  const { json } = await site.ask('GET', '/audit');
  expect((json.rows as { action: string }[]).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['POST /webhooks', 'PUT /webhooks/payroll', 'POST /webhooks/payroll/test']),
  );
  expect(JSON.stringify(json)).toContain('payroll: resumed');
});

test('a webhook of the config is listed, tested and fixed', async () => {
  await using receiver = new WebhookReceiver();
  const url = await receiver.listen();
  receiver.secret = `whsec_${Buffer.from('a secret of thirty-two bytes here').toString('base64')}`;
  const fixed = { name: 'payroll', url, secret: receiver.secret, kinds: ['logs'] };
  await using site = await Site.open({ events: { webhooks: [fixed] } });
  expect((await site.ask('GET', '/webhooks')).json.rows).toMatchObject([{ name: 'payroll', fixed: true, last: null }]);
  expect(await site.change({ paused: true })).toMatchObject({ status: 409, json: { title: 'fixed' } });
  expect(await site.ask('DELETE', '/webhooks/payroll')).toMatchObject({ status: 409 });
  const same = await site.ask('POST', '/webhooks', { name: 'payroll', url, kinds: ['logs'] });
  expect(same).toMatchObject({ status: 409, json: { title: 'in_use' } });
  expect((await site.ask('POST', '/webhooks/payroll/test')).json).toMatchObject({ taken: true });
  expect(receiver.calls[0]?.isSigned).toBe(true);
});

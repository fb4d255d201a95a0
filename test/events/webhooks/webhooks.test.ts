import { writeFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { EventsBox } from '../../support/events-box.ts';
import { until } from '../../support/until.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes here').toString('base64')}`;

let receiver: WebhookReceiver;
afterEach(() => receiver.close());

const open = async (kinds: string[], listen: object = { events: 'off' }) => {
  receiver = new WebhookReceiver();
  receiver.secret = secret;
  const url = await receiver.listen();
  return EventsBox.start({ listen, events: { webhooks: [{ name: 'payroll', url, secret, kinds }] } });
};

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test('a receiver gets each event, signed, in small calls, with the broker for programs closed', async () => {
  await using site = await open(['checkins', 'logs']);
  const terminal = site.terminal();
  await Promise.all(upTo(130).map(() => terminal.say('device')));
  await terminal.say('log');
  await until('all have come', () => receiver.taken.length === 131);
  const { calls } = receiver;
  expect(calls.every(({ isSigned }) => isSigned)).toBe(true);
  expect(Math.max(...calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(20_000);
  const ofCheckins = calls
    .filter(({ body }) => body.type === 'events.checkins')
    .flatMap(({ body }) => body.data.events ?? []);
  expect(ofCheckins.map(({ seq }) => seq)).toEqual(upTo(130));
  expect(ofCheckins[0]!.name).toBe('Li Mei');
  expect(calls.some(({ body }) => body.type === 'events.logs')).toBe(true);
});

test('what a receiver refuses is sent again under its id, and nothing is lost when the box is killed', async () => {
  await using site = await open(['checkins'], { events: '127.0.0.1:0' });
  receiver.status = 503;
  const terminal = site.terminal();
  await terminal.say('device');
  await until('it was called and called again', () => receiver.calls.length >= 2);
  const [first, second] = receiver.calls;
  expect(second!.id).toBe(first!.id);
  expect(second!.body).toEqual(first!.body);
  await site.box.kill9();
  await site.box.start();
  for (let sent = 0; sent < 5; sent++) await terminal.say('device');
  receiver.status = 200;
  await until('all have come', () => receiver.taken.length >= 6);
  await site.box.kill9();
  await site.box.start();
  await terminal.say('device');
  await until('the next has come', () => receiver.taken.includes(7));
  expect(receiver.taken).toEqual(upTo(7));
});

test('a receiver that answers 410 is not called again', async () => {
  await using site = await open(['checkins']);
  receiver.status = 410;
  const terminal = site.terminal();
  await terminal.say('device');
  await until('it was called', () => receiver.calls.length === 1);
  await terminal.say('device');
  await terminal.say('device');
  receiver.status = 200;
  await site.box.kill9();
  await site.box.start();
  await until('after a restart it is asked once more', () => receiver.taken.length === 3);
  expect(receiver.calls.length).toBe(2);
});

test('a secret that is kept in a file is read, and is not shown', async () => {
  await using site = await open(['checkins']);
  await writeFile(`${site.box.folder}/hook.key`, `${secret}\n`);
  const [hook] = [{ name: 'payroll', url: await address(), secret: 'file:./hook.key', kinds: ['checkins'] }];
  await site.box.stop();
  await site.box.configure({ events: { webhooks: [hook] } });
  const shown = await site.box.run('check-config', '--effective', site.box.configFile);
  expect(shown.stdout).toContain('events.webhooks');
  expect(shown.stdout).not.toContain('whsec_');
  await site.box.start();
  await site.terminal().say('device');
  await until('it comes', () => receiver.taken.length === 1);
  expect(receiver.calls[0]!.isSigned).toBe(true);
});

/** Of the receiver that listens. */
async function address(): Promise<string> {
  await receiver.close();
  return receiver.listen();
}

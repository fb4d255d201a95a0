import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayloadName, payloads } from '../../src/events/schemas.ts';
import { matches } from '../../src/platform/event-topics.ts';
import { aBoxWithEvents, type EventBox } from '../support/event-box.ts';
import { aClient } from '../support/every-caller.ts';
import { until } from '../support/until.ts';

/** /asyncapi.json, held to what a subscriber of a running box receives. */

interface Document {
  readonly servers?: Record<string, { host: string; protocol: string }>;
  readonly channels: Record<string, { address: string; messages: Record<string, { $ref: string }> }>;
  readonly operations: Record<string, { action: string; channel: { $ref: string } }>;
}

let box: EventBox;
let document: Document;
beforeAll(async () => {
  box = await aBoxWithEvents('127.0.0.1:0');
  document = await documentOf(box);
});
afterAll(() => box?.[Symbol.asyncDispose]());

async function documentOf({ https }: EventBox): Promise<Document> {
  using client = aClient(https);
  const { status, body } = await client.ask({
    method: 'GET',
    path: '/asyncapi.json',
    headers: { host: 'localhost' },
  });
  expect(status).toBe(200);
  return JSON.parse(body);
}

/** The messages that a channel of the document has for a topic. */
function messagesFor(topic: string): PayloadName[] {
  const fitting = Object.values(document.channels).filter(({ address }) =>
    matches(address.replaceAll(/\{\w+\}/g, '+'), topic),
  );
  expect(fitting, topic).toHaveLength(1);
  return Object.keys(fitting[0]!.messages) as PayloadName[];
}

/** Whether exactly what the schema says is there, and nothing besides. */
const fits = (name: PayloadName, payload: unknown): boolean => payloads[name].strict().safeParse(payload).success;

test('every message that a program receives has a channel, and exactly one of its schemas fits', async () => {
  const made = { name: 'reader', role: 'events', days: null, topics: ['#'], actions: [3001] } as const;
  const { token } = await box.box.admin.tokens.make({ ...made, topics: [...made.topics], actions: [...made.actions] });
  const client = await mqtt.connectAsync(`mqtt://${box.box.addresses.events}`, { username: 'reader', password: token });
  const heard: { topic: string; payload: unknown }[] = [];
  client.on('message', (topic, payload) => {
    const isOwnRequest = /^gatehouse\/v1\/(replay$|commands\/)/.test(topic);
    if (payload.length > 0 && !isOwnRequest) heard.push({ topic, payload: JSON.parse(payload.toString()) });
  });
  await client.subscribeAsync(['gatehouse/v1/#', 'gatehouse/v1/answers/reader/#', 'gatehouse/v1/missed']);
  const kindsHeard = () =>
    new Set(heard.map(({ topic, payload }) => messagesFor(topic).find(name => fits(name, payload)) ?? topic));
  // Sent until they are heard: what came before the feed has begun is not said.
  await until('check-ins, passages and logs are heard', async () => {
    await box.punches(1);
    await box.punches(1, 'nobody-known');
    await box.passage();
    await box.logs('{"log":"door ajar"}');
    return ['checkin', 'access', 'log'].every(name => kindsHeard().has(name));
  });
  const people = [{ ext_id: 'e2', name: 'Li Na', mobile: '', department: { ext_id: 'd1' } }];
  await box.box.admin.apply({ site: { employees: people } as never, prune: false, dryRun: false });
  const answers = 'gatehouse/v1/answers/reader/a';
  const ask = (topic: string, request: object) => client.publishAsync(topic, JSON.stringify(request));
  for (const request of [
    { kind: 'access', response_topic: answers },
    { kind: 'doors', response_topic: answers },
  ])
    await ask('gatehouse/v1/replay', request);
  await ask(`gatehouse/v1/commands/${box.deviceId}`, { action: 3001, response_topic: answers });
  const wanted = ['presence', 'line', 'box', 'people_changed', 'replay_end', 'replay_refused', 'command_refused'];
  await until('the rest is heard', () => wanted.every(name => kindsHeard().has(name)));
  for (const { topic, payload } of heard) {
    const fitting = messagesFor(topic).filter(name => fits(name, payload));
    expect(fitting, `${topic} ${JSON.stringify(payload)}`).toHaveLength(1);
  }
  expect(JSON.stringify(heard)).not.toContain('capture_img');
  await client.endAsync();
});

test('the requests that the box takes are those of the document', () => {
  const response_topic = 'gatehouse/v1/answers/reader/a';
  expect(fits('replay', { kind: 'logs', after: 0, limit: 500, response_topic })).toBe(true);
  expect(fits('replay', { kind: 'logs', limit: 501, response_topic })).toBe(false);
  expect(fits('command', { action: 3001, data: { door: 1 }, response_topic, timeout_s: 5 })).toBe(true);
  expect(fits('command', { action: 3001, timeout_s: 301 })).toBe(false);
  const received = Object.entries(document.operations).filter(([, { action }]) => action === 'receive');
  expect(received.map(([name]) => name)).toEqual(['replay', 'commands']);
});

test('the document names the broker, and every reference in it leads somewhere', async () => {
  const port = box.box.addresses.events!.split(':')[1];
  expect(document.servers).toMatchObject({ box: { host: `localhost:${port}`, protocol: 'mqtt' } });
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  expect(refs.length).toBeGreaterThan(50);
  for (const path of refs) {
    const found = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect(found, path).toBeDefined();
  }
});

test('a box without the broker has the document too, without a server', async () => {
  await using silent = await aBoxWithEvents();
  const other = await documentOf(silent);
  expect(other.servers).toBeUndefined();
  expect(other.channels).toEqual(document.channels);
});

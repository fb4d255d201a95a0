import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import mqtt from 'mqtt';
import { generate } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { newToken } from '../../src/accounts/tokens.ts';
import { Programs } from '../../src/events/programs.ts';
import type { AdminToken } from '../../src/store/index.ts';
import { aBox, type LocalBox } from '../support/box.ts';
import { HandClock } from '../support/clock.ts';
import { keptLog } from '../support/kept-log.ts';
import { until } from '../support/until.ts';

/** Logins of programs beside those of others. */

const connackOf = async (
  box: LocalBox,
  username: string,
  password: string,
  socket: Socket = connectTcp({ host: '127.0.0.1', port: box.port('events') }),
): Promise<number> => {
  socket.on('error', () => {});
  const connect = { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 } as const;
  socket.write(generate({ ...connect, clientId: 'c', username, password: Buffer.from(password) }));
  const [connack] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(connack.subarray(0, 3).toString('hex')).toBe('200200');
  return connack[3]!;
};

test('a program logs in while another at the same address does so with a token that has ended', async () => {
  await using box = await aBox({ listen: { events: '127.0.0.1:0' } });
  const { tokens } = box.opened.admin;
  const make = (name: string) => tokens.make({ name, role: 'events', days: null, topics: ['line'], actions: null });
  const { token } = await make('wall');
  const { token: ended } = await make('till');
  const till = (await tokens.list()).rows.find(({ name }) => name === 'till')!;
  await tokens.remove({ id: till.id });
  const answers: number[] = [];
  for (let round = 0; round < 30; round++) {
    expect(await connackOf(box, 'till', ended)).toBe(5);
    answers.push(await connackOf(box, 'wall', token));
  }
  expect(answers).toEqual(answers.map(() => 0));
});

test('an empty client id needs a clean session: without one it is CONNACK 2', async () => {
  await using box = await aBox({ listen: { events: '127.0.0.1:0' } });
  const { token } = await box.opened.admin.tokens.make({
    ...{ name: 'wall', role: 'events', days: null, topics: ['line'], actions: null },
  });
  const connack = async (flags: number): Promise<string> => {
    const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
    const rest = Buffer.concat([text('MQTT'), Buffer.from([4, flags, 0, 60]), text(''), text('wall'), text(token)]);
    const socket = connectTcp({ host: '127.0.0.1', port: box.port('events') }).on('error', () => {});
    socket.write(Buffer.concat([Buffer.from([0x10, rest.length]), rest]));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString('hex');
  };
  expect(await connack(0b1100_0000)).toBe('20020002');
  expect(await connack(0b1100_0010)).toBe('20020000');
});

test('the state that a bridge publishes by itself is dropped, and ends no connection', async () => {
  await using box = await aBox({ listen: { events: '127.0.0.1:0' } });
  const { admin } = box.opened;
  const { token: password } = await admin.tokens.make({
    ...{ name: 'bridge', role: 'events', days: null, topics: ['line'], actions: null },
  });
  const url = `mqtt://127.0.0.1:${box.port('events')}`;
  const client = await mqtt.connectAsync(url, { username: 'bridge', password, reconnectPeriod: 0 });
  const ended = new Promise<void>(resolve => client.once('close', () => resolve()));
  for (const payload of ['1', '0']) {
    const sent = client.publishAsync('$SYS/broker/connection/site.box/state', payload, { qos: 1, retain: true });
    await Promise.race([sent, ended.then(() => Promise.reject(new Error('the connection was ended')))]);
  }
  expect((await admin.programs.list()).rows).toMatchObject([
    { refusal: { why: 'published the state of a bridge, which is dropped: set `notifications false` there' } },
  ]);
  const heard: string[] = [];
  client.on('message', topic => heard.push(topic));
  await client.subscribeAsync(['gatehouse/v1/line', '$SYS/broker/connection/site.box/state', '#']).catch(() => {});
  await until('it hears what it may', () => heard.length > 0);
  expect(heard).toEqual(['gatehouse/v1/line']);
  expect(client.connected).toBe(true);
  client.publish('$SYS/broker/uptime', '1', { qos: 1 });
  await ended;
});

test('a program logs in while 140 addresses hold the places for logins, each with two bytes of one', async () => {
  await using box = await aBox({ listen: { events: '0.0.0.0:0' } });
  const { token } = await box.opened.admin.tokens.make({
    ...{ name: 'wall', role: 'events', days: null, topics: ['line'], actions: null },
  });
  const to = (localAddress: string) => connectTcp({ host: '127.0.0.1', port: box.port('events'), localAddress });
  const tls = (address: string) =>
    connectTls({ socket: to(address).on('error', () => {}), rejectUnauthorized: false }).on('error', () => {});
  const stalled = Array.from({ length: 140 }, (_, at) => tls(`127.0.1.${at + 1}`));
  let begun = 0;
  for (const socket of stalled)
    socket.once('secureConnect', () => void socket.write(Buffer.from([0x10, 40]), () => begun++));
  await until('all places are taken', () => begun >= 128);
  const login = connackOf(box, 'wall', token, tls('127.0.2.1'));
  for (const socket of stalled.slice(0, 40)) socket.destroy();
  expect(await login).toBe(0);
  for (const socket of stalled) socket.destroy();
});

const wall: AdminToken = {
  ...{ id: 1, name: 'wall', role: 'events', events: { topics: [], actions: [] } },
  ...{ madeBy: 'mei', madeAt: 0, endsAt: 2e12, usedAt: null },
};

test('refused logins are logged: each program of an address once a minute', async () => {
  const { log, lines } = keptLog();
  const clock = new HandClock();
  const good = newToken();
  const programs = new Programs(clock, log, async token => (token === good ? wall : null));
  const line = (program: string) => ({
    code: 'program_login_refused',
    fields: { program, address: '192.168.1.9', why: expect.stringContaining('token') },
  });
  for (let login = 0; login < 3; login++) {
    await programs.login('wall', newToken(), '192.168.1.9');
    await programs.login('till', newToken(), '192.168.1.9');
  }
  await programs.login('wall', good, '192.168.1.9');
  expect(lines).toEqual([line('wall'), line('till')]);
  await clock.advance(60_000);
  await programs.login('wall', newToken(), '192.168.1.9');
  expect(lines).toEqual([line('wall'), line('till'), line('wall')]);
});

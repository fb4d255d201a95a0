import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { generate } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { EventProgram, tokenFor } from '../support/event-program.ts';
import { residentMb } from '../support/memory-group.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { credentials, MqttTerminal, punch } from '../support/terminal.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** The local broker of a running box, with programs that nobody here wrote (docs/events.md). */

const people = {
  departments: [{ ext_id: '0', name: 'Plant 4' }],
  employees: [
    { ext_id: 'e1', name: 'Li Mei', mobile: '13800000000', employee_num: '1001', department: { ext_id: '0' } },
  ],
};

let box: BoxProcess;
let everything: string;

beforeAll(async () => {
  box = await BoxProcess.start(
    { listen: { events: '127.0.0.1:0', mqtt: '127.0.0.1:0' }, limits: { log_per_second: 100_000, log_per_day: 1e7 } },
    aSite(people),
  );
  everything = await tokenFor(box, 'all', '#', '3001');
});
afterAll(() => box?.[Symbol.asyncDispose]());

const aTerminal = (deviceId: string) =>
  new MqttTerminal({ deviceId, key: productKey }, `mqtt://127.0.0.1:${box.port('mqtt')}`);

describe('what a program hears', () => {
  test('a punch with its names, after it is committed, once however often the terminal sends it', async () => {
    await using program = new EventProgram(box, 'all', everything);
    expect(await program.subscribe('gatehouse/v1/checkins/+')).toBe(0);
    const id = 'FACE-T1_E0001';
    const terminal = aTerminal(id);
    for (const _again of [1, 2]) await terminal.client.publishAsync('device', punch(id, 'm1'), { qos: 1 });
    await terminal.client.publishAsync('device', punch(id, 'm2', 'nobody'), { qos: 1 });
    const second = await program.event(`gatehouse/v1/checkins/${id}`, ({ ext_id }) => ext_id === 'nobody');
    const [first, ...others] = program.on(`gatehouse/v1/checkins/${id}`);
    expect(first).toMatchObject({ device_id: id, ext_id: 'e1', name: 'Li Mei', known: true, check_type: 'fa' });
    expect(second).toMatchObject({ known: false, name: '', previous: first!.seq });
    expect(others).toHaveLength(1);
    const rows = await box.export<{ device_id: string; ext_id: string }>('checkins');
    expect(rows.filter(row => row.device_id === id).map(row => row.ext_id)).toEqual(['e1', 'nobody']);
    await terminal.client.endAsync();
  });

  test('who is connected, the line and the box, also when it subscribes later', async () => {
    const id = 'FACE-T1_E0002';
    const terminal = aTerminal(id);
    await terminal.client.publishAsync('device', punch(id, 'm1'), { qos: 1 });
    await using program = new EventProgram(box, 'all', everything);
    await program.subscribe('gatehouse/v1/#');
    const topic = `gatehouse/v1/devices/${id}/presence`;
    expect(await program.event(topic)).toMatchObject({ device_id: id, online: true });
    expect(await program.event('gatehouse/v1/line')).toMatchObject({ state: 'none', waiting: 0 });
    expect(await program.event('gatehouse/v1/box')).toMatchObject({ site: 'My site', alerts: [] });
    await terminal.client.endAsync();
    expect(await program.event(topic, ({ online }) => online === false)).toMatchObject({ device_id: id });
  });

  test('that people have changed, without who', async () => {
    await using program = new EventProgram(box, 'all', everything);
    await program.subscribe('gatehouse/v1/people/changed');
    const file = join(box.folder, 'more.yaml');
    await writeFile(file, stringify({ employees: [{ ...people.employees[0], ext_id: 'e2', employee_num: '1002' }] }));
    await box.ask('apply', file);
    expect(await program.event('gatehouse/v1/people/changed')).toEqual({ at: expect.any(Number) });
  });

  test('what another program says on its own topics, retained, and its will', async () => {
    const will = {
      topic: 'gatehouse/v1/apps/all/state',
      payload: Buffer.from('"gone"'),
      qos: 1,
      retain: true,
    } as const;
    const speaker = await new EventProgram(box, 'all', everything, { will }).connected();
    await speaker.client.publishAsync(will.topic, '"here"', { retain: true, qos: 2 });
    await using listener = new EventProgram(box, 'reader', await tokenFor(box, 'reader', 'apps/all/#'));
    await listener.subscribe('gatehouse/v1/apps/all/#', 2);
    await until('the retained one', () => listener.heard.some(({ text, retain }) => text === '"here"' && retain));
    speaker.client.stream.destroy();
    await until('its will', () => listener.heard.some(({ text }) => text === '"gone"'));
    await speaker[Symbol.asyncDispose]();
  });

  test('logs, with their text', async () => {
    await using program = new EventProgram(box, 'all', everything);
    await program.subscribe('gatehouse/v1/logs/#');
    const id = 'FACE-T1_E0003';
    const terminal = aTerminal(id);
    await terminal.client.publishAsync('log/FT1/E0003', 'door ajar', { qos: 1 });
    expect(await program.event(`gatehouse/v1/logs/${id}`)).toMatchObject({ model: 'FT1', text: 'door ajar' });
    await terminal.client.endAsync();
  });

  test('with a session that outlives its connection, what came while it was away', async () => {
    const options = { clientId: 'durable', clean: false };
    const program = new EventProgram(box, 'all', everything, options);
    expect(await program.subscribe('gatehouse/v1/checkins/#', 1)).toBe(1);
    await program.client.endAsync();
    await using other = new EventProgram(box, 'all', everything);
    await other.subscribe('gatehouse/v1/checkins/#');
    const id = 'FACE-T1_E0004';
    const terminal = aTerminal(id);
    for (const mid of ['m1', 'm2', 'm3']) await terminal.client.publishAsync('device', punch(id, mid), { qos: 1 });
    await until('another program has heard them', () => other.on(`gatehouse/v1/checkins/${id}`).length === 3);
    await using back = await new EventProgram(box, 'all', everything, options).connected();
    await until('three punches', () => back.on(`gatehouse/v1/checkins/${id}`).length === 3);
    await terminal.client.endAsync();
  });
});

describe('what a program may not do', () => {
  const whyOf = async (name: string, wrong: string): Promise<string[]> => {
    await using program = new EventProgram(box, name, wrong);
    const [error] = await Promise.race([
      new Promise<[Error]>(resolve => program.client.once('error', one => resolve([one]))),
      new Promise<[null]>(resolve => program.client.once('connect', () => resolve([null]))),
    ]);
    return error ? [error.message] : [];
  };

  test('log in without a token, with another name, or with a token of another role', async () => {
    const viewer = (await box.ask('token', 'create', '--role', 'viewer', '--name', 'v')).trim();
    for (const [name, token] of [
      ['all', 'wrong'],
      ['other', everything],
      ['v', viewer],
    ] as const)
      expect(await whyOf(name, token)).toEqual(['Connection refused: Not authorized']);
  });

  test('subscribe beyond its topics, which says so and leaves the connection', async () => {
    await using program = new EventProgram(box, 'door', await tokenFor(box, 'door', 'access/FACE-T1_D0001'));
    for (const filter of ['#', 'gatehouse/v1/#', 'gatehouse/v1/access/+', 'gatehouse/v1/checkins/+', '$SYS/#'])
      expect([filter, await program.subscribe(filter)]).toEqual([filter, 128]);
    expect(await program.subscribe('gatehouse/v1/access/FACE-T1_D0001')).toBe(0);
    expect(program.client.connected).toBe(true);
  });

  test.each([
    'gatehouse/v1/checkins/FACE-T1_E0001',
    'device',
    'gatehouse/v1/box',
    'gatehouse/v1/apps/another/x',
    'gatehouse/v1/commands/FACE-T1_E0001',
  ])('publish to %s, which ends the connection', async topic => {
    const name = topic.replaceAll(/\W/g, '-');
    await using program = await new EventProgram(box, name, await tokenFor(box, name, 'line')).connected();
    const closed = new Promise<void>(resolve => program.client.once('close', () => resolve()));
    program.client.publish(topic, '{}', { qos: 0 });
    await closed;
  });

  test('speak MQTT 5', async () => {
    await using program = new EventProgram(box, 'all', everything, { protocolVersion: 5 });
    const [error] = await new Promise<[Error]>(resolve => program.client.once('error', one => resolve([one])));
    expect(error.message).toMatch(/protocol version/i);
  });

  test.each([
    ['more than 200 messages in a second', 300, 'a', false],
    ['more than 50 retained messages', 60, 't', true],
  ])('publish %s, which ends the connection', async (_what, count, topic, retain) => {
    const name = `flood-${topic}`;
    await using program = await new EventProgram(box, name, await tokenFor(box, name, 'line')).connected();
    const closed = new Promise<void>(resolve => program.client.once('close', () => resolve()));
    for (let number = 0; number < count; number++)
      program.client.publish(`gatehouse/v1/apps/${name}/${topic}${number}`, 'x', { retain });
    await closed;
  });

  test('use the admin API with its token, or events with a token that has ended', async () => {
    const token = await tokenFor(box, 'gone', 'line');
    const program = await new EventProgram(box, 'gone', token).connected();
    const closed = new Promise<void>(resolve => program.client.once('close', () => resolve()));
    const rows = JSON.parse(await box.ask('token', 'list', '--json')) as { id: number; name: string }[];
    await box.ask('token', 'rm', String(rows.find(({ name }) => name === 'gone')!.id));
    await closed;
    expect(await whyOf('gone', token)).toEqual(['Connection refused: Not authorized']);
  });
});

describe('commands', () => {
  const answers = 'gatehouse/v1/answers/all';

  test('reach a connected device as the cloud would send them, and its answer comes back', async () => {
    const id = 'FACE-T1_C0001';
    const terminal = aTerminal(id);
    await terminal.client.subscribeAsync(`$client/${id}`);
    terminal.client.on('message', (_topic, payload) => {
      const { mid, action } = JSON.parse(payload.toString());
      const data = { code: 0, door: 'open' };
      terminal.client.publish('device', JSON.stringify({ mid, from: id, to: 'system', time: 1, action, data }));
    });
    await using program = new EventProgram(box, 'all', everything);
    await program.subscribe(`${answers}/#`);
    const answer = await program.ask(
      `gatehouse/v1/commands/${id}`,
      { action: 3001, data: { door: 1 } },
      `${answers}/c1`,
    );
    expect(answer).toMatchObject({ ok: true, action: 3001, data: { code: 0, door: 'open' } });
    const [sent] = terminal.received;
    expect(JSON.parse(sent!.text)).toMatchObject({ from: 'system', to: id, action: 3001, data: { door: 1 } });
    const audit = await box.ask('audit', 'export');
    expect(audit).toContain('token all');
    expect(audit).toContain(`${id}: action 3001`);
    await terminal.client.endAsync();
  });

  test.each([
    ['no such device', 'FACE-T1_NOWHERE', { action: 3001 }, /no such device/],
    ['a device that is not connected', 'FACE-T1_E0001', { action: 3001 }, /not connected; nothing was sent/],
    ['an action that the token does not name', 'FACE-T1_E0001', { action: 3002 }, /does not allow 3002/],
    ['an action of the box itself', 'FACE-T1_E0001', { action: 2101 }, /by the box itself/],
    ['no action', 'FACE-T1_E0001', {}, /write the action code/],
  ])('for %s are refused in words', async (what, device, body, why) => {
    await using program = new EventProgram(box, 'all', everything);
    const topic = `${answers}/${what.replaceAll(/\W/g, '')}`;
    await program.subscribe(`${answers}/#`);
    const answer = await program.ask(`gatehouse/v1/commands/${device}`, body, topic);
    expect(answer).toEqual({ ok: false, why: expect.stringMatching(why) });
  });
});

test('what a program asks of the box is heard by no other program, whatever it may hear', async () => {
  await using listener = new EventProgram(box, 'curious', await tokenFor(box, 'curious', '#'));
  await listener.subscribe('gatehouse/v1/#', 1);
  await using program = new EventProgram(box, 'all', everything);
  await program.subscribe('gatehouse/v1/answers/all/#');
  await program.ask('gatehouse/v1/commands/FACE-T1_E0001', { action: 3001 }, 'gatehouse/v1/answers/all/quiet1');
  await program.ask('gatehouse/v1/replay', { kind: 'access' }, 'gatehouse/v1/answers/all/quiet2');
  await program.client.publishAsync('gatehouse/v1/apps/all/said', '1', { qos: 1 });
  await listener.event('gatehouse/v1/apps/all/said');
  expect(listener.heard.filter(({ topic }) => /replay|commands|answers/.test(topic))).toEqual([]);
});

describe('replay', () => {
  test('reads again what was said, page by page, byte for byte', async () => {
    const id = 'FACE-T1_R0001';
    const terminal = aTerminal(id);
    await using program = new EventProgram(box, 'all', everything);
    await program.subscribe('gatehouse/v1/checkins/#');
    await program.subscribe('gatehouse/v1/answers/all/#');
    for (const mid of ['a', 'b', 'c']) await terminal.client.publishAsync('device', punch(id, mid), { qos: 1 });
    await until('three', () => program.on(`gatehouse/v1/checkins/${id}`).length === 3);
    const live = program.heard.filter(({ topic }) => topic.endsWith(id)).map(({ text }) => text);
    const after = JSON.parse(live[0]!).previous;
    const topic = 'gatehouse/v1/answers/all/replay';
    program.client.publish(
      'gatehouse/v1/replay',
      JSON.stringify({ kind: 'checkins', after, limit: 2, response_topic: topic }),
    );
    await program.event(topic, ({ end }) => end === true);
    const again = program.heard.filter(one => one.topic === topic).map(({ text }) => text);
    expect(again.slice(0, 2)).toEqual(live.slice(0, 2));
    expect(JSON.parse(again[2]!)).toMatchObject({ end: true, more: true, through: JSON.parse(live[1]!).seq, count: 2 });
    await terminal.client.endAsync();
  });

  test('of long logs ends its page before a slow program would lose a part of it', async () => {
    const id = 'FACE-T1_R0002';
    const terminal = aTerminal(id);
    const texts = Array.from({ length: 200 }, (_, number) => `${number} ${'x'.repeat(3500)}`);
    await Promise.all(texts.map(text => terminal.client.publishAsync('log/FT1/R0002', text, { qos: 1 })));
    await using program = new EventProgram(box, 'all', everything);
    await program.subscribe('gatehouse/v1/answers/all/#');
    const heard: unknown[] = [];
    for (let [page, after, isMore] = [0, 0, true]; isMore; page++) {
      const topic = `gatehouse/v1/answers/all/long${page}`;
      const body = { kind: 'logs', after, response_topic: topic };
      program.client.publish('gatehouse/v1/replay', JSON.stringify(body));
      const end = await program.event(topic, one => one.end === true);
      const events = program.on(topic).filter(one => one.end === undefined);
      expect(events).toHaveLength(end.count as number);
      expect(JSON.stringify(events).length).toBeLessThan(110_000);
      heard.push(...events.filter(({ device_id }) => device_id === id).map(({ text }) => text));
      [after, isMore] = [end.through as number, end.more as boolean];
    }
    expect(heard).toEqual(texts);
    await terminal.client.endAsync();
  });

  test.each([
    [{ kind: 'faces' }, /write checkins, access, logs/],
    [{ kind: 'checkins' }, /does not allow checkins/],
    [{ kind: 'access', after: -1 }, /after/],
    [{ kind: 'access', limit: 9999 }, /from 1 to 500/],
  ])('%o is refused in words', async (body, why) => {
    const name = `r${JSON.stringify(body).length}${Object.keys(body).join('')}`;
    await using program = new EventProgram(box, name, await tokenFor(box, name, 'access/#'));
    await program.subscribe(`gatehouse/v1/answers/${name}/#`);
    const answer = await program.ask('gatehouse/v1/replay', body, `gatehouse/v1/answers/${name}/1`);
    expect(answer).toMatchObject({ end: true, error: expect.stringMatching(why) });
  });
});

test('a program that subscribes to everything and never reads costs a bounded amount and stops nobody', async () => {
  const slow = connect(box.port('events'), '127.0.0.1');
  slow.on('error', () => {});
  slow.write(
    generate({
      cmd: 'connect',
      clientId: 'slow',
      username: 'all',
      password: Buffer.from(everything),
      keepalive: 60,
      clean: true,
      protocolId: 'MQTT',
      protocolVersion: 4,
    }),
  );
  await new Promise(resolve => slow.once('data', resolve));
  slow.pause();
  slow.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'gatehouse/v1/#', qos: 0 }] }));
  await using program = new EventProgram(box, 'all', everything);
  await program.subscribe('gatehouse/v1/checkins/#');
  const before = residentMb(box.pid)!;
  const id = 'FACE-T1_S0001';
  const terminal = aTerminal(id);
  for (let round = 0; round < 20; round++)
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        terminal.client.publishAsync('log/FT1/S0001', `${'x'.repeat(3000)} ${round} ${n}`, { qos: 1 }),
      ),
    );
  await terminal.client.publishAsync('device', punch(id, 'last'), { qos: 1 });
  await program.event(`gatehouse/v1/checkins/${id}`);
  expect(residentMb(box.pid)! - before).toBeLessThan(80);
  slow.destroy();
  await terminal.client.endAsync();
});

suiteNeeding('mosquitto_sub', 'mosquitto-clients', 'mosquitto_sub as a program', () => {
  test('shows a punch', async () => {
    const port = String(box.port('events'));
    const heard = new Promise<string>((resolve, reject) => {
      const child = execFile(
        'mosquitto_sub',
        [
          '-h',
          '127.0.0.1',
          '-p',
          port,
          '-u',
          'all',
          '-P',
          everything,
          '-t',
          'gatehouse/v1/checkins/FACE-T1_Q0001',
          '-C',
          '1',
        ],
        (error, stdout) => (error ? reject(error) : resolve(stdout)),
      );
      onTestFinished(() => void child.kill());
    });
    const id = 'FACE-T1_Q0001';
    const { clientId, username, password } = credentials({ deviceId: id, key: productKey });
    const terminal = aTerminal(id);
    expect([clientId, username, password.length]).toEqual([id, 'FACE-T1', 32]);
    let mid = 0;
    await until('it was heard', async () => {
      await terminal.client.publishAsync('device', punch(id, `q${++mid}`), { qos: 1 });
      return Promise.race([heard, new Promise<null>(resolve => setImmediate(() => resolve(null)))]);
    });
    expect(JSON.parse(await heard)).toMatchObject({ device_id: id, name: 'Li Mei' });
    await terminal.client.endAsync();
  });
});

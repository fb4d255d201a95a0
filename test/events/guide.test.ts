import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventsBox } from '../support/events-box.ts';
import { examplePayload, guideBlocks, shapeOf } from '../support/events-guide.ts';
import { shell } from '../support/shell.ts';
import type { MqttTerminal } from '../support/terminal.ts';
import { hasPythonModule, hasTool, suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** What docs/events.md says is what a running box does, and its programs run as they stand there. */

const root = fileURLToPath(new URL('../..', import.meta.url));

let site: EventsBox;
let terminal: MqttTerminal;
beforeAll(async () => {
  site = await EventsBox.start();
  terminal = site.terminal();
  terminal.client.on('message', (_topic, payload) => {
    const { mid, from, to, action, data } = JSON.parse(payload.toString());
    const answer = { mid, from: to, to: from, time: 0, action, data: { code: 0, asked: data } };
    if (action === 7001) terminal.client.publish('device', JSON.stringify(answer), { qos: 1 });
  });
  await terminal.say('device');
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
});

suiteWhere(
  ['mosquitto_sub', 'mosquitto_rr'].every(hasTool),
  'needs mosquitto_sub: apt-get install mosquitto-clients',
  'the commands of the guide',
  () => {
    test('show the line and a punch, read an event again, and reach a device', async () => {
      const script = guideBlocks('sh')
        .join('\n')
        .replaceAll('1884', String(site.box.port('events')))
        .replaceAll('8883', String(site.box.port('mqtts')))
        .replaceAll('8443', String(site.box.port('https')))
        .replaceAll('https://payroll.example', 'http://127.0.0.1:9');
      const environment = {
        PATH: `${join(root, 'bin')}:${process.env.PATH}`,
        GATEHOUSE_DATA_DIR: site.box.dataDir,
      };
      let isOver = false;
      const running = shell(script, site.box.folder, environment).finally(() => {
        isOver = true;
      });
      while (!isOver) await terminal.say('device');
      const { status, said } = await running;
      expect(status, said).toBe(0);
      expect(said).toMatch(/^gatehouse\/v1\/line \{"state":"none"/m);
      expect(said).toMatch(/^gatehouse\/v1\/checkins\/FACE-T1_A0001 \{"seq":\d+,"previous":\d+,/m);
      expect(said).toMatch(/^1 connected, said 10, acknowledged 10, /m);
      expect(said).toMatch(/^\{"seq":1,"previous":0,.*"name":"Li Mei"/m);
      expect(said).toMatch(/\{"secret":"whsec_[^"]+"\}/);
      expect(said).toMatch(
        /^\{"ok":true,"mid":"[^"]+","action":7001,"data":\{"code":0,"asked":\{"door_id":"d1"\}\}\}$/m,
      );
    });
  },
);

test('the payloads in the tables have the fields of those that a box sends', async () => {
  const filters = ['checkins/#', 'access/#', 'logs/#', 'devices/#', 'line', 'box'];
  const password = await site.token('all', filters.join(','));
  await using client = disposable(await mqtt.connectAsync(site.url, { username: 'all', password }));
  const heard = new Map<string, object>();
  client.on('message', (topic, payload) => {
    if (payload.length > 0) heard.set(topic.split('/')[2]!, JSON.parse(payload.toString()));
  });
  await client.subscribeAsync(filters.map(filter => `gatehouse/v1/${filter}`));
  await terminal.say('device');
  await terminal.say('log');
  const record = { ext_id: 'p1', door_id: 'd1', check_type: 'fa', check_time: 1_763_600_001, check_result: 1 };
  const passage = {
    mid: 'a1',
    from: terminal.deviceId,
    to: 'system',
    time: 0,
    action: 2002,
    data: { records: [record] },
  };
  await terminal.client.publishAsync('device', JSON.stringify(passage), { qos: 1 });
  for (const kind of ['checkins', 'access', 'logs', 'devices', 'line', 'box']) {
    const said = await until(`${kind} has come`, () => heard.get(kind));
    expect(shapeOf(said), kind).toEqual(shapeOf(examplePayload(kind)));
  }
});

const disposable = <T extends { endAsync(isForced: boolean): Promise<unknown> }>(client: T) =>
  Object.assign(client, { [Symbol.asyncDispose]: () => client.endAsync(true).then(() => {}) });

const programs = [
  ['JavaScript', 'js', join(root, 'bin/node'), 'hear.mjs', true, ''],
  [
    'Python',
    'python',
    '/usr/bin/python3',
    'hear.py',
    hasPythonModule('paho.mqtt.client'),
    'needs paho: apt-get install python3-paho-mqtt',
  ],
] as const;

for (const [name, language, program, file, possible, otherwise] of programs)
  suiteWhere(possible, otherwise, `the program in ${name}`, () => {
    test('has each punch once and in order, also when it and the box are killed', async () => {
      const folder = join(site.box.folder, language);
      await mkdir(folder);
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      await writeFile(join(folder, file), guideBlocks(language)[0]!);
      const token = await site.token(`hears-${language}`, 'checkins/#');
      const start = () =>
        spawn(program, [file], {
          cwd: folder,
          stdio: ['ignore', 'ignore', 'inherit'],
          env: {
            ...process.env,
            NAME: `hears-${language}`,
            TOKEN: token,
            BROKER: site.url,
            PORT: String(site.box.port('events')),
          },
        });
      const punches = async (count: number) => {
        for (let sent = 0; sent < count; sent++) await terminal.say('device');
      };
      const all = async () => (await site.box.export<object>('checkins')).length;
      const has = async () => {
        const count = await all();
        return until(`${name} has ${count}`, () => (kept(folder).length === count ? kept(folder) : null));
      };
      let hearing = start();
      await has();
      await punches(5);
      const first = await has();
      hearing.kill('SIGKILL');
      await once(hearing, 'exit');
      await punches(600);
      hearing = start();
      await punches(5);
      await has();
      for (let restarts = 0; restarts < 5; restarts++) {
        hearing.kill('SIGKILL');
        await once(hearing, 'exit');
        await punches(20);
        hearing = start();
        // Also while it connects, subscribes and reads again.
        const begun = await all();
        await until('it hears punches', async () => {
          await punches(20);
          return kept(folder).length > begun || null;
        });
        await has();
      }
      await site.box.kill9();
      await site.box.start();
      await punches(5);
      const last = await has();
      hearing.kill('SIGKILL');
      expect(last.slice(0, first.length)).toEqual(first);
      expect(last).toEqual([...last].sort((one, other) => one - other));
      expect(new Set(last).size).toBe(last.length);
    });
  });

/** The numbers of the events that a program has stored, in the order in which it stored them. */
function kept(folder: string): number[] {
  try {
    using db = new DatabaseSync(join(folder, 'checkins.db'), { readOnly: true });
    return db
      .prepare('SELECT seq FROM event ORDER BY rowid')
      .all()
      .map(row => Number(row.seq));
  } catch {
    return [];
  }
}

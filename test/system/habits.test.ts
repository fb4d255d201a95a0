import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { shell } from '../support/shell.ts';
import { aSite, productKey } from '../support/site.ts';
import { credentials, punch } from '../support/terminal.ts';
import { hasPythonModule, hasTool, suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** Habits of languages that show on the wire of a device: strings of C, numbers and files of Python. */

let box: BoxProcess;
let trust: string;
beforeAll(async () => {
  box = await BoxProcess.start({}, aSite());
  trust = join(box.folder, 'trust.pem');
  await box.ask('trust', 'export', '--edition', 'slim', '--out', trust);
});
afterAll(() => box?.[Symbol.asyncDispose]());

const checkinsOf = async (deviceId: string) =>
  (await box.export<{ device_id: string; ext_id: string }>('checkins'))
    .filter(row => row.device_id === deviceId)
    .map(row => row.ext_id);

suiteWhere(
  hasTool('mosquitto_pub'),
  'needs mosquitto_pub: apt-get install mosquitto-clients',
  'mosquitto_pub, in C, with the bytes of a file',
  () => {
    const publish = async (deviceId: string, files: readonly Buffer[]) => {
      const { clientId, username, password } = credentials({ deviceId, key: productKey });
      const login = `-h 127.0.0.1 -p ${box.port('mqtts')} --cafile '${trust}' -i ${clientId} -u ${username} -P ${password}`;
      for (const [at, bytes] of files.entries()) {
        const file = join(box.folder, `${deviceId}-${at}`);
        await writeFile(file, bytes);
        const { status, said } = await shell(
          `mosquitto_pub -V mqttv311 ${login} -q 1 -t device -f '${file}'`,
          box.folder,
        );
        expect(status, said).toBe(0);
      }
    };

    test('a string with its NUL, a buffer that was not filled and a byte order mark are read past', async () => {
      const id = 'FACE-T1_H0001';
      await publish(id, [
        Buffer.from(`${punch(id, '1', 'nul')}\0`),
        Buffer.concat([Buffer.from(punch(id, '2', 'buffer')), Buffer.alloc(512)]),
        Buffer.from(`\ufeff${punch(id, '3', 'mark')}\r\n`),
      ]);
      await until('each is a check-in', async () => (await checkinsOf(id)).length === 3);
      expect(await checkinsOf(id)).toEqual(['nul', 'buffer', 'mark']);
    });

    test('a name in GBK and a message that its buffer has cut are counted with the likely reason', async () => {
      const id = 'FACE-T1_H0002';
      const text = punch(id, '1').replace('"e1"', '"e1","name":"Li Mei"');
      const unreadOf = async () => {
        const { devices } = JSON.parse(await box.ask('status', '--json')) as {
          devices: { unreadable: { device_id: string; messages: number; why: string }[] };
        };
        return devices.unreadable.filter(one => one.device_id === id);
      };
      await publish(id, [Buffer.from(text.replace('Li Mei', '\xc0\xee\xc3\xb7'), 'latin1')]);
      await until('it is counted', async () => (await unreadOf()).length > 0);
      expect(await unreadOf()).toMatchObject([{ messages: 1, why: expect.stringContaining('GBK') }]);
      await publish(id, [Buffer.from(text.slice(0, 127))]);
      await until('both are counted', async () => (await unreadOf())[0]?.messages === 2);
      expect(await unreadOf()).toMatchObject([{ why: expect.stringContaining('cut off') }]);
      expect(await checkinsOf(id)).toEqual([]);
    });
  },
);

suiteWhere(
  hasPythonModule('paho.mqtt.client'),
  'needs paho: apt-get install python3-paho-mqtt',
  'a device in Python, with paho',
  () => {
    const program = `
import json, sys
import paho.mqtt.client as mqtt

port, trust, device, user, key = sys.argv[1:]
with open(key, newline="") as file:
    password = file.read()
client = mqtt.Client(client_id=device)
client.username_pw_set(user, password)
client.tls_set(trust)

def connected(client, _data, _flags, code):
    if code != 0:
        print("CONNACK", code, flush=True)
        client.disconnect()
    client.subscribe("$client/" + device)

def subscribed(client, *_rest):
    request = {"mid": 2**63 - 1, "from": device, "to": "system", "time": 0, "action": 1002, "data": {}}
    client.publish("device", json.dumps(request), 1)

def heard(client, _data, message):
    print(json.loads(message.payload)["mid"], flush=True)
    client.disconnect()

client.on_connect, client.on_subscribe, client.on_message = connected, subscribed, heard
client.connect("127.0.0.1", int(port))
while client.loop() == 0:
    pass
`;
    const run = async (deviceId: string, behind: string) => {
      const { username, password } = credentials({ deviceId, key: productKey });
      await writeFile(join(box.folder, 'device.py'), program);
      await writeFile(join(box.folder, 'password'), `${password}${behind}`);
      const args = `${box.port('mqtts')} '${trust}' ${deviceId} ${username} password`;
      return (await shell(`/usr/bin/python3 device.py ${args}`, box.folder)).said;
    };

    test('a number of 64 bits as mid is answered digit by digit', async () => {
      expect(await run('FACE-T1_H0003', '')).toBe('9223372036854775807\n');
    });

    test('two with one id, as after a memory was cloned, end each other again and again, and are named', async () => {
      const id = 'FACE-T1_H0006';
      const { username, password } = credentials({ deviceId: id, key: productKey });
      const login = `c.username_pw_set("${username}", "${password}"); c.tls_set("${trust}")`;
      const cloned = `import paho.mqtt.client as m; c = m.Client("${id}"); ${login}; c.connect("127.0.0.1", ${box.port('mqtts')}); c.loop_forever()`;
      const both = [0, 1].map(() => spawn('/usr/bin/python3', ['-c', cloned], { stdio: 'ignore' }));
      onTestFinished(() => both.forEach(one => void one.kill()));
      await until('the box says so', async () =>
        /used_twice|two devices/.test(await box.ask('status', '--device', id)),
      );
    });

    test.each([
      ['line end', 'FACE-T1_H0004', '\n'],
      ['NUL', 'FACE-T1_H0005', '\0'],
    ])('a password from a file with a %s behind it is refused with that reason', async (_what, id, behind) => {
      expect(await run(id, behind)).toBe('CONNACK 4\n');
      expect(await box.ask('status', '--device', id)).toContain('behind');
    });
  },
);

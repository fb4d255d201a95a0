import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { EventsBox } from '../support/events-box.ts';
import { hasPythonModule, hasTool, suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** Clients that nobody here wrote, with the settings that they have by themselves. */

let site: EventsBox;
beforeAll(async () => {
  site = await EventsBox.start();
});
afterAll(() => site?.[Symbol.asyncDispose]());

/** Ends with the test. */
function started(program: string, args: readonly string[]) {
  const child = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill());
  return child;
}

suiteWhere(
  ['mosquitto', 'mosquitto_sub'].every(hasTool),
  'needs mosquitto: apt-get install mosquitto mosquitto-clients',
  'a mosquitto bridge with its defaults',
  () => {
    test('hears each event once, though it keeps its session and publishes its state', async () => {
      const terminal = site.terminal();
      const token = await site.token('bridge', 'checkins/#');
      const socket = join(site.box.folder, 'bridge.sock');
      const config = join(site.box.folder, 'bridge.conf');
      const lines = [
        ...[`listener 0 ${socket}`, 'allow_anonymous true', 'user root', 'log_type all'],
        ...['connection box', `address ${site.box.addresses.events}`, 'restart_timeout 1'],
        ...['remote_username bridge', `remote_password ${token}`, 'topic gatehouse/v1/checkins/# in 1'],
      ];
      await writeFile(config, `${lines.join('\n')}\n`);
      const bridge = started('mosquitto', ['-c', config]);
      let said = '';
      bridge.stderr.setEncoding('utf8').on('data', piece => {
        said += piece;
      });
      await until('the bridge has subscribed', () => said.includes('Received SUBACK'));
      const args = ['--unix', socket, '-t', 'gatehouse/#', '-q', '1', '-C', '3'];
      const heard = text(started('mosquitto_sub', args).stdout);
      await until('a program has subscribed at the bridge', () => said.includes('Sending SUBACK'));
      for (let sent = 0; sent < 3; sent++) await terminal.say('device');
      const events = (await heard).trim().split('\n');
      expect(events.map(line => JSON.parse(line).previous)).toEqual([0, 1, 2]);
      // One connection: nothing that it sends by itself ends it.
      expect(said.match(/sending CONNECT/g)).toHaveLength(1);
    });
  },
);

suiteWhere(
  hasPythonModule('paho.mqtt.client'),
  'needs paho: apt-get install python3-paho-mqtt',
  'paho without a client id',
  () => {
    const program = `
import sys
import paho.mqtt.client as mqtt

host, port, token, clean = sys.argv[1:]
client = mqtt.Client(client_id="any", clean_session=clean == "1")
# This version refuses what programs with an older one send.
client._client_id = b""
client.username_pw_set("wall", token)
# It takes CONNACK 2 as the wish for an id, makes one and comes again.
client.on_log = lambda _client, _data, _level, text: "CONNACK" in text and print(text, flush=True)
client.on_connect = lambda client, _data, _flags, code: client.disconnect()
client.connect(host, int(port))
while client.loop() == 0:
    pass
`;
    let token: string;
    beforeAll(async () => {
      token = await site.token('wall', 'line');
    });
    test.each([
      ['without a clean session, is refused with CONNACK 2', '0', ['2', '0']],
      ['with a clean session, is let in', '1', ['0']],
    ])('%s', async (_what, clean, codes) => {
      const [host, port] = site.box.addresses.events!.split(':') as [string, string];
      const python = started('/usr/bin/python3', ['-c', program, host, port, token, clean]);
      const said = await text(python.stdout);
      expect(Array.from(said.matchAll(/CONNACK \(\d, (\d)\)/g), ([, code]) => code)).toEqual(codes);
    });
  },
);

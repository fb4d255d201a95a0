import type { Said } from '../../support/terminal.ts';
import type { Scenario } from '../scenario.ts';

export const deviceKeys: Scenario = {
  name: 'device-keys',
  says: 'terminals activate: whoever got its own key can log in with it afterwards',
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 60);
    stage.notes.begin();
    for (const terminal of terminals) {
      const { deviceId, client } = { deviceId: terminal.deviceId, client: terminal.client };
      const answered = new Promise<void>(resolve =>
        client.on('message', (_topic, payload) => {
          const { data } = JSON.parse(payload.toString()) as { data?: { access_key?: string } };
          if (data?.access_key === undefined) return;
          stage.notes.promised(deviceId, data.access_key);
          resolve();
        }),
      );
      await client.subscribeAsync(`$client/${deviceId}`, { qos: 0 });
      const mid = `activate-${deviceId}`;
      const text = JSON.stringify({ mid, from: deviceId, to: 'system', time: 0, action: 1001, data: {} });
      const said: Said = { channel: 'device', mid, text, acknowledged: false };
      terminal.said.push(said);
      await client.publishAsync('device', text, { qos: 1 });
      stage.notes.acknowledged(said);
      await answered;
    }
  },
  check({ stored, notes, entries }, found) {
    for (const { what, value, position } of notes.promises)
      if (position <= entries && !stored.keys.get(what)?.includes(value)) found.lost.push(`the key of ${what}`);
  },
};

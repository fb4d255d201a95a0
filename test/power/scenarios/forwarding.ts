import type { Arrival } from '../../../tools/sim/index.ts';
import { aCloudFor } from '../../support/uplink.ts';
import { flood, trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';
import type { StoredRecord } from '../stored.ts';

/** A message goes up with its time filled in, so that it is known by its mid. */
const nameOf = ({ channel }: StoredRecord | Arrival, text: string): string =>
  channel === 'log' ? text : String(JSON.parse(text).mid);

export const forwarding: Scenario = {
  name: 'forwarding',
  says: 'records go up to a cloud: what the box counts as confirmed has arrived there',
  async play(stage) {
    const cloud = stage.use(await aCloudFor());
    const box = await stage.box({
      upstream: { mode: 'per-device', device_mqtt: cloud.urls.deviceMqtt, device_http: cloud.urls.deviceHttp },
    });
    const { arrivals } = cloud;
    const add = arrivals.add.bind(arrivals);
    arrivals.add = arrival => {
      add(arrival);
      stage.notes.promised('arrived', nameOf(arrival, arrival.payload));
    };
    const terminals = stage.mqttTerminals(box, 4);
    stage.notes.begin();
    for (let turn = 0; turn < 4; turn++) {
      await flood(terminals, stage.notes, { inFlight: 4, records: 15 });
      await trickle(terminals, stage.notes, 20);
    }
    if (arrivals.received === 0) throw new Error('nothing went up');
  },
  check({ stored, notes, entries }, found) {
    const arrived = new Set(notes.promises.filter(({ position }) => position <= entries).map(({ value }) => value));
    for (const record of stored.journal) {
      const isConfirmed = record.seq <= (stored.forwarded.get(record.deviceNo)?.[record.channel] ?? 0);
      if (isConfirmed && !arrived.has(nameOf(record, record.text)))
        found.lost.push(`${record.seq} counts as confirmed, and has not arrived`);
    }
  },
};

import { once } from 'node:events';
import { connect } from 'node:net';
import { generate } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { aGateway, passwordOf } from '../../support/gateway.ts';
import { aStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const id = 'FACE-T1_A0001';

test('a device is not read while the tables are too far behind, and loses nothing by it', async () => {
  await using opened = await aStore({ lagBound: { records: 50, ms: 60_000 } });
  const logBytes = 4096;
  await using gateway = await aGateway({
    opened,
    limits: { logPerSecond: 1e6, logPerDay: 1e9, logBytes, messageBytes: 1 << 20, inboxMessages: 1000 },
  });
  const { store } = gateway;
  let letGo = 0;
  store.journal.onDrain(() => {
    letGo++;
  });
  const socket = connect(Number(new URL(gateway.mqttUrl).port), '127.0.0.1');
  const packet = (one: Parameters<typeof generate>[0]) => socket.write(generate(one));
  packet({
    ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 },
    ...{ clientId: id, username: 'FACE-T1', password: Buffer.from(passwordOf(id)) },
  });
  await once(socket, 'data');
  let acknowledged = 0;
  socket.on('data', bytes => {
    acknowledged += bytes.length / 4;
  });
  // Far more than a socket is read at once: the second reading meets tables that are over their
  // bound.
  const total = 400;
  const text = 'x'.repeat(2000);
  const publish = { cmd: 'publish', topic: 'log/FT1/A0001', qos: 1, dup: false, retain: false } as const;
  socket.write(
    Buffer.concat(
      Array.from({ length: total }, (_, index) =>
        generate({ ...publish, messageId: index + 1, payload: `${index} ${text}` }),
      ),
    ),
  );
  await until('everything is acknowledged', () => acknowledged === total);
  expect(letGo).toBeGreaterThan(0);
  await store.catchUp();
  const rows = await store.read.logs({ limit: 1000 });
  expect(rows.map(row => Number.parseInt(row.text, 10))).toEqual(Array.from({ length: total }, (_, index) => index));
  expect(store.health()).toMatchObject({ heldBack: false, lagRecords: 0 });
  socket.destroy();
});

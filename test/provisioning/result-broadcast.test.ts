import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { decodeSetupDatagram, type SetupResult } from '../../src/platform/setup-result.ts';
import { resultBroadcast } from '../../src/provisioning/result-broadcast.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { HandClock } from '../support/clock.ts';
import { until } from '../support/until.ts';

const result: SetupResult = {
  deviceId: 'GATEHOUSE_000001',
  model: 'GH1',
  status: 0,
  error: null,
  message: '',
  mac: '02:00:00:00:01:00',
  address: '127.0.0.1',
  mask: '255.0.0.0',
  gateway: '127.0.0.254',
};

test('the result goes out four times, one and a half seconds apart, and the last one arrives too', async () => {
  const phone = createSocket('udp4').bind(0, '127.0.0.1');
  await once(phone, 'listening');
  const clock = new HandClock();
  const arrivals: number[] = [];
  phone.on('message', bytes => {
    expect(decodeSetupDatagram(bytes)).toMatchObject({ ok: true, value: result });
    arrivals.push(clock.monotonic());
  });
  const target = { host: '127.0.0.1', port: phone.address().port };
  const sent = resultBroadcast({ target, clock, log: silentLog }).send(result, new AbortController().signal);
  const begun = clock.monotonic();
  for (let round = 1; round < 4; round++) {
    await until(`round ${round} has arrived`, () => arrivals.length === round);
    await clock.advance(1500);
  }
  await sent;
  await until('the last round has arrived', () => arrivals.length === 4);
  expect(arrivals.map(at => at - begun)).toEqual([0, 1500, 3000, 4500]);
  phone.close();
});

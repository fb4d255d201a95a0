import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionBounds, loweredTo, openFilesMax } from '../../src/operations/open-files.ts';

const unit = readFileSync(fileURLToPath(new URL('../../systemd/gatehouse.service', import.meta.url)), 'utf8');
const ofUnit = Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1]);

test('however few files may be opened, connections leave 200 of them to the box itself, and some to people', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 512, max: 1 << 20 }),
      fc.boolean(),
      fc.boolean(),
      (openFiles, perDeviceLine, overHttp) => {
        const bounds = connectionBounds(openFiles, perDeviceLine, overHttp);
        const { ofMqtt, ofHttp, devices, loggingIn, unauthenticated } = bounds;
        const gateways = overHttp ? 2 : 1;
        const toTheCloud = perDeviceLine ? gateways * devices : 0;
        expect(ofMqtt + ofHttp + toTheCloud).toBeLessThanOrEqual(openFiles - 200);
        expect(ofMqtt).toBeGreaterThanOrEqual(devices + loggingIn);
        expect(ofMqtt).toBeGreaterThanOrEqual(unauthenticated);
        // Were all devices and all strangers there at once, people would still be accepted.
        expect(ofHttp - (overHttp ? devices : 0) - loggingIn).toBeGreaterThanOrEqual(64);
      },
    ),
  );
});

test('where no device can connect over HTTP, those over MQTT have its files', () => {
  const [both, mqttAlone] = [true, false].map(overHttp => connectionBounds(20_000, false, overHttp).devices);
  expect(mqttAlone).toBe(2 * both!);
});

test('under systemd 5000 devices over MQTT and as many over HTTP find room, each with a connection to the cloud', () => {
  expect(connectionBounds(ofUnit, true).devices).toBeGreaterThan(5000);
});

test('under systemd all devices of a site of 5000 may wait for their login at once', () => {
  expect(connectionBounds(ofUnit, true).unauthenticated).toBeGreaterThan(5000);
});

test('a limit that lowers the number of connections is reported, and one that does not is not', () => {
  expect(loweredTo(connectionBounds(1024, false))).toBeLessThan(400);
  expect(loweredTo(connectionBounds(Number.POSITIVE_INFINITY, true))).toBeNull();
});

test('the limit of this process is what the system says', () => {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  expect(openFilesMax()).toBe(Number(soft));
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { signatureForm } from '../../src/platform/device-signature.ts';
import { decodeFrame, encodeFrame } from '../../src/platform/frame.ts';
import {
  decodeDeviceInfo,
  decodeFrameError,
  decodeSignatureReply,
  decodeSignatureRequest,
  decodeWifiRequest,
  encodeDeviceInfo,
  encodeWifiRequest,
} from '../../src/platform/setup-payloads.ts';
import { decodeSetupDatagram, decodeSetupResult, encodeSetupDatagram } from '../../src/platform/setup-result.ts';
import { openPassword } from '../../src/platform/wifi-password.ts';
import { FrameReader } from '../../src/provisioning/frame-reader.ts';
import { seededRandom } from '../support/clock.ts';

/**
 * Any bytes at all: nothing throws, and nothing is kept. `FRAMES=1000000 npm test -- fuzz` for the
 * long run.
 */
const frames = Number(process.env.FRAMES ?? 20_000);
/** What a run may leave in the heap: far less than a byte for each frame of the long run. */
const growthBytesMax = 8 << 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test(`${frames} frames and datagrams, random and mutated, throw nothing and fill no memory`, () => {
  const seed = Number(process.env.SEED ?? 20_261_121);
  const random = seededRandom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const noise = (length: number) => Uint8Array.from({ length }, () => below(256));
  const info = { deviceId: 'FACE-T1_A0001', model: 'FT1' };
  const good: readonly (() => Uint8Array)[] = [
    () => encodeFrame({ command: 0x01, payload: encodeDeviceInfo(info) }),
    () => encodeFrame({ command: 0x02, payload: noise(16) }),
    () =>
      encodeFrame({
        command: 0x03,
        payload: encodeWifiRequest({ ssid: noise(1 + below(32)), protectedPassword: noise(below(80)) }),
      }),
    () => encodeFrame({ command: below(256), payload: noise(below(600)) }),
    () =>
      encodeSetupDatagram({
        ...info,
        status: below(4) - 2,
        error: below(10) - 6,
        message: '',
        mac: '02:00:00:00:01:00',
        address: '192.168.1.57',
        mask: '255.255.255.0',
        gateway: '192.168.1.1',
      }),
  ];
  const mutated = (): Uint8Array => {
    if (below(4) === 0) return noise(below(64));
    let bytes = good[below(good.length)]!();
    for (let times = below(4); times > 0; times--) {
      const at = below(bytes.length + 1);
      const how = below(4);
      if (how === 0 && at < bytes.length) bytes[at] = below(256);
      if (how === 1) bytes = bytes.subarray(0, at);
      if (how === 2) bytes = Buffer.concat([bytes.subarray(0, at), noise(below(8)), bytes.subarray(at)]);
      if (how === 3) bytes = Buffer.concat([bytes, new Uint8Array(below(20))]);
    }
    return bytes;
  };

  const reader = new FrameReader();
  let now = 0;
  let read = 0;
  let faults = 0;
  const one = () => {
    const bytes = mutated();
    for (const decode of [
      decodeFrame,
      decodeFrameError,
      decodeDeviceInfo,
      decodeSignatureReply,
      decodeSignatureRequest,
      decodeWifiRequest,
      decodeSetupResult,
      decodeSetupDatagram,
    ])
      decode(bytes);
    signatureForm(bytes, below(2 ** 32));
    openPassword(bytes, { marker: 'VENDOR@', keys: ['s3cret'] });
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + below(30);
      for (const result of reader.push(bytes.subarray(at, at + size), now))
        if ('frame' in result) read++;
        else faults++;
      at += size;
      now += below(50) === 0 ? 6000 : below(20);
    }
  };

  for (let count = 0; count < Math.min(frames, 5000); count++) one();
  collect();
  const before = process.memoryUsage().heapUsed;
  const began = performance.now();
  for (let count = 0; count < frames; count++) one();
  const seconds = (performance.now() - began) / 1000;
  collect();
  const growth = process.memoryUsage().heapUsed - before;
  if (process.env.FRAMES !== undefined)
    process.stderr.write(
      `${frames} frames in ${seconds.toFixed(1)} s (${read} read, ${faults} refused); the heap grew by ${growth} bytes\n`,
    );
  expect(growth, `seed ${seed}`).toBeLessThan(growthBytesMax);
  // The reader still reads: nothing that was sent before has stuck.
  const whole = encodeFrame({ command: 0x01, payload: new Uint8Array() });
  const after = [...reader.push(new Uint8Array(5000), now + 6000), ...reader.push(whole, now + 12_000)];
  expect(after.some(result => 'frame' in result && result.frame.command === 0x01)).toBe(true);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame } from '../../src/platform/frame.ts';
import { encodeDeviceInfo, encodeFrameError, encodeSignatureReply } from '../../src/platform/setup-payloads.ts';
import { encodeSetupResult, type SetupResult } from '../../src/platform/setup-result.ts';
import { FrameReader } from '../../src/provisioning/frame-reader.ts';
import type { Channel } from '../../src/provisioning/site-devices/channel.ts';
import { Dialogue } from '../../src/provisioning/site-devices/dialogue.ts';
import { HandClock } from '../support/clock.ts';

const info = { deviceId: 'FACE-T1_A0001', model: 'FT1' };
const answer = encodeFrame({ command: 0x01, payload: encodeDeviceInfo(info) });
const error = (code: number) => encodeFrame({ command: 0x00, payload: encodeFrameError({ code, message: '' }) });
const random = Buffer.from('a1B2c3D4');

/** A device that answers each whole request with the next of these lists of packets. */
function aDevice(...answers: (readonly Uint8Array[])[]) {
  const clock = new HandClock();
  const asked: number[] = [];
  const { promise: gone, resolve: leave } = Promise.withResolvers<Error>();
  let listener: (packet: Uint8Array) => void = () => {};
  const channel: Channel = {
    gone,
    onPacket: heard => {
      listener = heard;
    },
    async write(bytes) {
      asked.push(bytes[4]!);
      for (const packet of answers.shift() ?? []) listener(packet);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return { clock, asked, leave, say: (packet: Uint8Array) => listener(packet), dialogue: new Dialogue(channel, clock) };
}

const pieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
    const piece = new Uint8Array(size);
    piece.set(bytes.subarray(index * size, (index + 1) * size));
    return piece;
  });

describe('a device is asked who it is', () => {
  test.each([
    ['in one packet', [answer]],
    ['in pieces of 20 bytes, padded with zeros', pieces(answer, 20)],
    ['byte by byte', pieces(answer, 1)],
    ['behind garbage', [Buffer.from('boot: ok\r\n'), answer]],
    ['behind frames that nobody asked for', [encodeFrame({ command: 0xff, payload: random }), answer]],
  ])('and answers %s', async (_name, packets) => {
    expect(await aDevice(packets).dialogue.info()).toEqual(info);
  });

  test('once more where the question was garbled on the way', async () => {
    const device = aDevice([error(2)], [answer]);
    expect(await device.dialogue.info()).toEqual(info);
    expect(device.asked).toEqual([1, 1]);
  });

  test('and is silent, garbled twice, refuses, or leaves', async () => {
    const wait = async (device: ReturnType<typeof aDevice>) => {
      const asking = device.dialogue.info();
      asking.catch(() => {});
      await device.clock.advance(25_000);
      return asking;
    };
    await expect(wait(aDevice())).rejects.toMatchObject({ code: 'silent' });
    const broken = Uint8Array.from(answer);
    broken[10]! ^= 1;
    await expect(wait(aDevice([broken], [broken]))).rejects.toMatchObject({ code: 'garbled' });
    await expect(wait(aDevice([error(3)]))).rejects.toMatchObject({
      code: 'device_error',
      message: expect.stringContaining('does not know the command'),
    });
    const device = aDevice();
    const asking = device.dialogue.info();
    device.leave(new Error('it is gone'));
    await expect(asking).rejects.toThrow('it is gone');
  });
});

describe('a signature', () => {
  const signed = encodeSignatureReply({ ...info, signature: Buffer.from('0badcafe') });
  test.each([
    ['under 0x02', [[encodeFrame({ command: 0x02, payload: signed })]], [2], 2],
    ['under 0x01, as the sample of SPEC 4.4 shows it', [[encodeFrame({ command: 0x01, payload: signed })]], [2], 1],
    ['by a device that knows no 0x02', [[error(3)], [encodeFrame({ command: 0x01, payload: signed })]], [2, 1], 1],
  ])('is taken %s', async (_name, answers, asked, answeredBy) => {
    const device = aDevice(...answers);
    expect(await device.dialogue.signature(random)).toMatchObject({ ...info, answeredBy });
    expect(device.asked).toEqual(asked);
  });

  test('is asked for under 0x01 once and no more', async () => {
    const device = aDevice([error(3)], [error(3)], [error(3)]);
    await expect(device.dialogue.signature(random)).rejects.toMatchObject({ code: 'device_error' });
    expect(device.asked).toEqual([2, 1]);
  });
});

test('wifi settings: silence is said after 10 s, and the result is waited for as long as the caller says', async () => {
  const result: SetupResult = {
    ...info,
    status: 0,
    error: null,
    message: '',
    mac: '02:00:00:00:01:00',
    address: '192.168.1.57',
    mask: '255.255.255.0',
    gateway: '192.168.1.1',
  };
  const device = aDevice();
  let silences = 0;
  const ending = new AbortController();
  const wifi = () =>
    device.dialogue.wifi(
      { ssid: Buffer.from('Plant'), protectedPassword: new Uint8Array() },
      { signal: ending.signal, onSilence: () => silences++ },
    );
  const first = wifi();
  await device.clock.advance(60_000);
  expect(silences).toBe(1);
  for (const piece of pieces(encodeFrame({ command: 0x03, payload: encodeSetupResult(result) }), 20)) device.say(piece);
  expect(await first).toEqual(result);
  const second = wifi();
  ending.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
});

describe('the frame reader', () => {
  test('puts frames together however they are cut', () => {
    const frame = fc.record({
      command: fc.nat(255).filter(one => one !== 0xff),
      payload: fc.uint8Array({ minLength: 3, maxLength: 255 }),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (frames, size) => {
        const reader = new FrameReader();
        const whole = Buffer.concat(frames.map(encodeFrame));
        const read = [];
        for (let at = 0; at < whole.length; at += size) read.push(...reader.push(whole.subarray(at, at + size), at));
        expect(read.map(one => 'frame' in one && { ...one.frame, payload: [...one.frame.payload] })).toEqual(
          frames.map(({ command, payload }) => ({ command, payload: [...payload] })),
        );
      }),
    );
  });

  test('reads a length of the other byte order, at once where it can be no other', () => {
    const little = Uint8Array.from(answer);
    little[5] = answer[6]!;
    little[6] = 0;
    expect(new FrameReader().push(little, 0)).toMatchObject([{ frame: { command: 0x01 } }]);
  });

  test('finds the next frame behind a broken one, and tells of each fault once a packet', () => {
    const broken = Uint8Array.from(answer);
    broken[9]! ^= 1;
    const read = new FrameReader().push(Buffer.concat([broken, broken, answer]), 0);
    expect(read.map(one => ('frame' in one ? 'frame' : one.fault))).toEqual([2, 'frame']);
  });

  test('gives up a frame whose rest does not come', () => {
    const reader = new FrameReader();
    expect(reader.push(answer.subarray(0, 12), 0)).toEqual([]);
    expect(reader.push(answer, 6000)).toMatchObject([{ fault: 1 }, { frame: { command: 1 } }]);
  });

  test('refuses a payload larger than it takes, and goes on', () => {
    const reader = new FrameReader();
    const huge = Uint8Array.of(0x40, 0x44, 0x4c, 0xfa, 0x01, 0x7f, 0x7f);
    expect(reader.push(huge, 0)).toMatchObject([{ fault: 1 }]);
    expect(reader.push(answer, 1)).toMatchObject([{ frame: { command: 1 } }]);
  });
});

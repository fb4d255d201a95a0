import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { expect, test } from 'vitest';
import { limits } from '../../src/platform/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { Seq } from '../../src/store/index.ts';
import { type BatchAnswer, BatchTransport } from '../../src/upstream/batch-transport.ts';
import type { Result, Sending } from '../../src/upstream/transport.ts';
import { HandClock } from '../support/clock.ts';
import { aStore, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const unpack = promisify(zstdDecompress);
const ok: Result = { kind: 'confirmed' };

interface Posted {
  readonly seqs: readonly number[];
  readonly epoch: string;
  readonly answer: (answer: BatchAnswer) => void;
}

/** A transport whose receiver the test plays, and what its records were answered. */
async function aTransport() {
  const temporary = await aStore();
  const { deviceNo } = await registered(temporary.store);
  const clock = new HandClock();
  const closing = new AbortController();
  const posted: Posted[] = [];
  const answers: [number, Result][] = [];
  const transport = new BatchTransport({
    ...{ clock, store: temporary.store, log: silentLog },
    post: async (body, epoch) => {
      const lines = (await unpack(body)).toString('utf8').split('\n');
      const seqs = lines.map(line => JSON.parse(line).seq as number);
      return new Promise(answer => posted.push({ seqs, epoch, answer }));
    },
    postOwn: async () => ok,
    onClose: () => closing.abort(),
    signal: closing.signal,
  });
  const send = (seq: number, { bytes = 2, parkedAt = null as number | null } = {}) => {
    const sending: Sending = {
      ...{ seq: seq as Seq, deviceNo, channel: 'device', topic: 'device', receivedAt: 1, action: null, parkedAt },
      ...{ passOver: false, stays: false, bytes: Buffer.alloc(bytes, 'x'), start: 0, end: bytes },
      onAnswer: result => answers.push([seq, result]),
    };
    transport.send(sending);
  };
  return {
    ...{ transport, clock, posted, answers, send, epoch: temporary.store.epoch },
    sent: (count: number) =>
      until(`${count} batches were posted`, () => (posted.length === count ? posted.at(-1)! : null)),
    async [Symbol.asyncDispose]() {
      transport.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

const acked = (ackedSeq: number, refused: { seq: number; code: number; msg: string }[] = []): BatchAnswer => ({
  kind: 'acked',
  ackedSeq,
  refused,
});
/** All that was due at once has happened. */
const turn = () => new Promise(resolve => setImmediate(resolve));

test('a batch goes out a second after its first record, and one at a time', async () => {
  await using line = await aTransport();
  line.send(1);
  await line.clock.advance(900);
  line.send(2);
  expect(line.posted).toEqual([]);
  await line.clock.advance(100);
  const first = await line.sent(1);
  expect(first).toMatchObject({ seqs: [1, 2], epoch: line.epoch });
  line.send(3);
  await line.clock.advance(5000);
  expect(line.posted).toHaveLength(1);
  first.answer(acked(2));
  await until('both are confirmed', () => line.answers.length === 2);
  expect(line.answers).toEqual([
    [1, ok],
    [2, ok],
  ]);
  await turn();
  await line.clock.advance(1000);
  expect((await line.sent(2)).seqs).toEqual([3]);
});

test('or at once when it is full, of records or of bytes, and takes no more until it is answered', async () => {
  await using line = await aTransport();
  for (let seq = 1; seq <= limits.batchRecordsMax; seq++) line.send(seq);
  const first = await line.sent(1);
  expect(first.seqs).toHaveLength(limits.batchRecordsMax);
  first.answer(acked(limits.batchRecordsMax));
  await until('they are confirmed', () => line.answers.length === limits.batchRecordsMax);
  expect(line.transport.window).toBe(limits.batchRecordsMax);
  line.send(2001, { bytes: 600_000 });
  line.send(2002, { bytes: 600_000 });
  expect(line.transport.window).toBe(0);
  expect((await line.sent(2)).seqs).toEqual([2001]);
});

test('what the receiver lists is refused, what it does not acknowledge is posted again', async () => {
  await using line = await aTransport();
  for (const seq of [1, 2, 3, 4]) line.send(seq);
  await line.clock.advance(1000);
  (await line.sent(1)).answer(acked(3, [{ seq: 2, code: 400, msg: 'no envelope' }]));
  await until('three are answered', () => line.answers.length === 3);
  expect(line.answers).toEqual([
    [1, ok],
    [2, { kind: 'refused', code: 400, reason: 'no envelope' }],
    [3, ok],
  ]);
  await turn();
  await line.clock.advance(1000);
  expect((await line.sent(2)).seqs).toEqual([4]);
});

test.each<[string, BatchAnswer]>([
  ['is not taken now', { kind: 'again', why: 'HTTP 503' }],
  ['is acknowledged in no part', acked(0)],
])('a batch that %s is given back whole, with what waits behind it', async (_name, answer) => {
  await using line = await aTransport();
  line.send(1);
  await line.clock.advance(1000);
  const first = await line.sent(1);
  line.send(2);
  first.answer(answer);
  await until('both are given back', () => line.answers.length === 2);
  expect(line.answers.map(([seq, { kind }]) => [seq, kind])).toEqual([
    [1, 'again'],
    [2, 'again'],
  ]);
});

test('a batch that is too large is halved until it passes; a record that is too large alone is refused', async () => {
  await using line = await aTransport();
  for (const seq of [1, 2, 3]) line.send(seq);
  await line.clock.advance(1000);
  const tooLarge: BatchAnswer = { kind: 'too_large', why: 'larger than is taken there (413)' };
  (await line.sent(1)).answer(tooLarge);
  const second = await line.sent(2);
  expect(second.seqs).toEqual([1, 2]);
  second.answer(tooLarge);
  const third = await line.sent(3);
  expect(third.seqs).toEqual([1]);
  third.answer(tooLarge);
  await until('it is refused', () => line.answers.length === 1);
  expect(line.answers).toEqual([[1, { kind: 'refused', code: 413, reason: 'larger than is taken there (413)' }]]);
});

test('a record that staff send again goes alone, under an epoch of its own that stays until it is answered', async () => {
  await using line = await aTransport();
  line.send(3, { parkedAt: 17 });
  line.send(10);
  line.send(11);
  const first = await line.sent(1);
  expect(first).toMatchObject({ seqs: [3], epoch: `${line.epoch}.3.17` });
  first.answer(acked(3));
  await until('it is confirmed', () => line.answers.length === 1);
  await turn();
  await line.clock.advance(1000);
  expect(await line.sent(2)).toMatchObject({ seqs: [10, 11], epoch: line.epoch });
});

test('nothing is answered after the session has ended', async () => {
  await using line = await aTransport();
  line.send(1);
  await line.clock.advance(1000);
  const first = await line.sent(1);
  line.transport.close();
  first.answer(acked(1));
  await turn();
  expect(line.answers).toEqual([]);
});

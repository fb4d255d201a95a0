import { describe, expect, test } from 'vitest';
import type { Channel, DeviceNo, Seq } from '../../src/store/index.ts';
import type { InFlightRecord } from '../../src/upstream/in-flight-record.ts';
import { emptyQueue, isIdle, passedTo, step, take } from '../../src/upstream/queue.ts';
import type { QueueEffects, QueueEvent } from '../../src/upstream/queue-events.ts';
import type { Outgoing } from '../../src/upstream/transport.ts';

const outgoing = (seq: number, channel: Channel, { passOver = false, deviceNo = 1 } = {}): Outgoing => ({
  seq: seq as Seq,
  deviceNo: deviceNo as DeviceNo,
  channel,
  topic: channel,
  bytes: Buffer.from('{}'),
  start: 0,
  end: 2,
  receivedAt: 1,
  passOver,
  stays: false,
  action: null,
  parkedAt: null,
});

/** A queue whose world the test plays: `said` is what it wanted done, in order. */
function aQueue({
  channel = 'device' as Channel,
  seqs = [1, 2, 3, 4],
  local = [] as readonly number[],
  deviceOf = (_seq: number): number => 1,
} = {}) {
  const world = { room: Number.POSITIVE_INFINITY, now: 0, paceMs: 0, dayIsSpent: false };
  const said: string[] = [];
  const queue = emptyQueue({
    paced: channel === 'log',
    cursor: 0 as Seq,
    sender: { onAnswer: () => {}, onUnbearable: () => {} },
  });
  const effects: QueueEffects = {
    now: () => world.now,
    paceMs: () => world.paceMs,
    get dayIsSpent() {
      return world.dayIsSpent;
    },
    hasRoomFor: () => world.room > 0,
    send(record) {
      world.room--;
      said.push(`send ${record.seq}`);
    },
    sendAgain(record) {
      queue.againInFlight = true;
      said.push(`send again ${record.seq}`);
    },
    passed: ({ seq, deviceNo }, count, confirmedTo) => {
      const device = deviceNo === 1 ? '' : ` of device ${deviceNo}`;
      said.push(`passed ${seq}${device}: ${count}, confirmed to ${confirmedTo ?? '-'}`);
    },
    park: ({ seq }, { code }) => said.push(`park ${seq} ${code}`),
    settleParked: ({ seq }, outcome) => said.push(`settle ${seq} ${outcome === 'confirmed' ? outcome : outcome.code}`),
    wakeIn: ms => said.push(`wake in ${ms}`),
    waitForRoom: () => said.push('wait for room'),
    readOn: () => {},
  };
  for (const seq of seqs) {
    take(queue, outgoing(seq, channel, { passOver: local.includes(seq), deviceNo: deviceOf(seq) }));
    queue.readTo = seq as Seq;
  }
  const happens = (event: QueueEvent): string[] => {
    step(queue, event, effects);
    return said.splice(0);
  };
  const inFlight = (seq: number): InFlightRecord => queue.records.find(record => record.seq === seq)!;
  const confirm = (...confirmed: readonly number[]): string[] => {
    for (const seq of confirmed) inFlight(seq).state = 'confirmed';
    return happens({ kind: 'confirmed' });
  };
  const refuse = (seq: number): string[] =>
    happens({ kind: 'refused', record: inFlight(seq), refusal: { code: 400, reason: 'no' } });
  const go = (): string[] => happens({ kind: 'go' });
  return { queue, world, happens, confirm, refuse, go, inFlight };
}

type Queue = ReturnType<typeof aQueue>;

type Happening = (queue: Queue) => string[];
const go: Happening = queue => queue.go();
const confirm =
  (...seqs: readonly number[]): Happening =>
  queue =>
    queue.confirm(...seqs);
const refuse =
  (seq: number): Happening =>
  queue =>
    queue.refuse(seq);
const postpone =
  (seq: number): Happening =>
  queue =>
    queue.happens({ kind: 'postponed', record: queue.inFlight(seq), waitMs: 4000 });
const happens =
  (event: QueueEvent): Happening =>
  queue =>
    queue.happens(event);
const parked = (seq: number): Happening => happens({ kind: 'parked', seq: seq as Seq });
const sendAgain = (seq: number): Happening => happens({ kind: 'sendAgain', record: outgoing(seq, 'device') });
const connectionLost = happens({ kind: 'connectionLost' });
const clockAt =
  (now: number): Happening =>
  ({ world }) => {
    world.now = now;
    return [];
  };
const roomFor =
  (room: number): Happening =>
  ({ world }) => {
    world.room = room;
    return [];
  };

/** What happens to four records, and what the queue wants done after the last of it. */
const cases: readonly (readonly [string, readonly Happening[], readonly string[]])[] = [
  ['all go out in order', [go], ['send 1', 'send 2', 'send 3', 'send 4']],
  ['what finds no room waits for it', [roomFor(2), go], ['send 1', 'send 2', 'wait for room']],
  ['the cursor passes what is confirmed without a gap', [go, confirm(1, 2)], ['passed 2: 2, confirmed to 2']],
  ['a confirmation out of order moves nothing', [go, confirm(2)], []],
  ['until the gap is closed', [go, confirm(2), confirm(1)], ['passed 2: 2, confirmed to 2']],
  ['the oldest is parked at once when it is refused', [go, refuse(1)], ['park 1 400']],
  ['a later one only when all before it have passed', [go, refuse(2)], []],
  ['and then it is', [go, refuse(2), confirm(1)], ['passed 1: 1, confirmed to 1', 'park 2 400']],
  ['nothing is sent while a refused record is not in the list', [roomFor(1), go, refuse(1), roomFor(9), go], []],
  ['what is confirmed behind it stays behind the cursor', [go, refuse(1), confirm(2, 3)], []],
  [
    'the cursor passes it when it stands in the list; that is no confirmation',
    [go, refuse(1), parked(1)],
    ['passed 1: 1, confirmed to -'],
  ],
  ['with what was confirmed behind it', [go, refuse(1), confirm(2), parked(1)], ['passed 2: 2, confirmed to 2']],
  ['a record that the cloud takes later holds everything for as long', [go, postpone(1)], ['wake in 4000']],
  ['and no shorter', [go, postpone(1), clockAt(3000), go], ['wake in 1000']],
  [
    'it and all behind it go again, in order, whatever was said of them',
    [go, confirm(3), postpone(2), clockAt(4000), go],
    ['send 2', 'send 3', 'send 4'],
  ],
  [
    'after a broken connection what was not confirmed goes again',
    [go, confirm(1), connectionLost, go],
    ['send 2', 'send 3', 'send 4'],
  ],
  [
    'a new connection does not wait for what the old one asked',
    [go, postpone(1), connectionLost, go],
    ['send 1', 'send 2', 'send 3', 'send 4'],
  ],
  [
    'a record that is being parked does not go again with the others',
    [go, refuse(1), connectionLost, parked(1)],
    ['send 2', 'send 3', 'send 4', 'passed 1: 1, confirmed to -'],
  ],
  [
    'one that was refused behind others goes again with them: it is not written down yet',
    [go, refuse(2), connectionLost, go],
    ['send 1', 'send 2', 'send 3', 'send 4'],
  ],
  [
    'the record behind which the cloud closes the connection is parked',
    [go, connectionLost, happens({ kind: 'unbearable', seq: 1 as Seq, reason: { reason: 'closed three times' } })],
    ['park 1 0'],
  ],
  [
    'parked records that staff want sent again go first, one at a time',
    [sendAgain(11), sendAgain(12), go],
    ['send again 11', 'send 1', 'send 2', 'send 3', 'send 4'],
  ],
  [
    'the next when the cloud has answered',
    [sendAgain(11), sendAgain(12), go, happens({ kind: 'sentAgain', outcome: 'confirmed' })],
    ['settle 11 confirmed', 'send again 12'],
  ],
  [
    'one that is refused again keeps its place in the list, with the new reason',
    [sendAgain(11), go, happens({ kind: 'sentAgain', outcome: { code: 422, reason: 'still no' } })],
    ['settle 11 422'],
  ],
];

describe('a queue of one device', () => {
  test.each(cases)('%s', (_name, story, wanted) => {
    const queue = aQueue();
    let last: string[] = [];
    for (const happening of story) last = happening(queue);
    expect(last).toEqual(wanted);
  });

  test('passes over what is kept here only, and does not count it', () => {
    const queue = aQueue({ local: [1, 3] });
    expect(queue.go()).toEqual(['send 2', 'send 4', 'passed 1: 0, confirmed to 1']);
    expect(queue.confirm(2)).toEqual(['passed 3: 1, confirmed to 3']);
  });

  test('says below what nothing waits, also while a record is parked', () => {
    const queue = aQueue();
    expect(passedTo(queue.queue)).toBe(0);
    queue.go();
    queue.confirm(1);
    queue.refuse(2);
    queue.confirm(3);
    expect(passedTo(queue.queue)).toBe(1);
    queue.happens({ kind: 'parked', seq: 2 as Seq });
    expect(passedTo(queue.queue)).toBe(3);
    queue.confirm(4);
    expect(passedTo(queue.queue)).toBe(4);
    expect(isIdle(queue.queue)).toBe(true);
  });

  test('forgets what it has read when there is no session, and reads it again', () => {
    const queue = aQueue();
    queue.go();
    queue.confirm(1);
    queue.happens({ kind: 'unload' });
    expect(queue.queue).toMatchObject({ records: [], readTo: 1, waitingBytes: 0 });
  });

  test('keeps what it has read while a record is being parked', () => {
    const queue = aQueue();
    queue.go();
    queue.refuse(1);
    queue.happens({ kind: 'unload' });
    expect(queue.happens({ kind: 'parked', seq: 1 as Seq })).toContain('send 2');
  });
});

describe('a queue of logs', () => {
  test("waits for the cloud's limit of a second", () => {
    const queue = aQueue({ channel: 'log' });
    queue.world.paceMs = 250;
    expect(queue.go()).toEqual(['wake in 250']);
  });

  test('holds nothing in memory until the day of the cloud turns', () => {
    const queue = aQueue({ channel: 'log' });
    queue.world.room = 1;
    queue.go();
    queue.world.dayIsSpent = true;
    queue.world.paceMs = 30_000;
    expect(queue.go()).toEqual(['wake in 30000', 'wake in 30000']);
    expect(queue.queue.records.map(({ seq }) => seq)).toEqual([1]);
    expect(queue.queue).toMatchObject({ readTo: 1, waitingBytes: 0 });
  });

  test('of messages asks for no limit', () => {
    const queue = aQueue();
    queue.world.dayIsSpent = true;
    queue.world.paceMs = 30_000;
    expect(queue.go()).toEqual(['send 1', 'send 2', 'send 3', 'send 4']);
  });
});

/** 1 and 5 are of device 1, the others of device 2. */
const ofTwo = () => aQueue({ seqs: [1, 2, 3, 4, 5], deviceOf: seq => (seq === 1 || seq === 5 ? 1 : 2) });

describe('a queue of all devices', () => {
  test.each<readonly [string, readonly Happening[], readonly string[]]>([
    ['sends in the order of the journal', [go], ['send 1', 'send 2', 'send 3', 'send 4', 'send 5']],
    [
      "moves each device's cursor by what was confirmed of it",
      [go, confirm(1, 2, 3, 4, 5)],
      ['passed 1: 1, confirmed to 1', 'passed 4 of device 2: 3, confirmed to 4', 'passed 5: 1, confirmed to 5'],
    ],
    ['and none of them over a record of another device that is not', [go, confirm(2, 3, 4, 5)], []],
    [
      'parks what was refused when all before it has passed',
      [go, refuse(3), confirm(1, 2, 4)],
      ['passed 1: 1, confirmed to 1', 'passed 2 of device 2: 1, confirmed to 2', 'park 3 400'],
    ],
    [
      'and what was confirmed behind it passes with it',
      [go, refuse(3), confirm(1, 2, 4, 5), parked(3)],
      ['passed 4 of device 2: 2, confirmed to 4', 'passed 5: 1, confirmed to 5'],
    ],
    [
      'sends again from the first that was not taken, whatever device it is of',
      [go, confirm(1), postpone(2), clockAt(4000), go],
      ['send 2', 'send 3', 'send 4', 'send 5'],
    ],
  ])('%s', (_name, story, wanted) => {
    const queue = ofTwo();
    let last: string[] = [];
    for (const happening of story) last = happening(queue);
    expect(last).toEqual(wanted);
  });
});

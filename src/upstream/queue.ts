import type { Seq } from '../store/index.ts';
import { codedIn, type GivenReason } from '../words/sentences.ts';
import { InFlightRecord, type Refusal, type Sender } from './in-flight-record.ts';
import type { QueueEffects, QueueEvent, SentAgain } from './queue-events.ts';
import type { Outgoing } from './transport.ts';

/**
 * Records on their way to the cloud: the messages of one device, its logs, or (mode batch) those of
 * all devices. In order, each until the cloud has confirmed it or it is parked. Data and a step
 * function: events in, effects out, no clock, no store, no timers (queue-driver.ts has those). It
 * is changed in place: some 100,000 records a second pass through.
 */
export interface Queue {
  /** Whether the queue keeps to the cloud's limits on a device's logs (SPEC 8). */
  readonly paced: boolean;
  /** Hears the answers to its records. */
  readonly sender: Sender;
  /**
   * In the journal's order: those that the cursor has passed up to `first`, those in flight up to
   * `next`, then those that wait. The indices move instead of the records, so that each step costs
   * the same however many there are.
   */
  records: InFlightRecord[];
  first: number;
  next: number;
  /** Payloads of those that wait. */
  waitingBytes: number;
  /** The journal was read up to here. */
  readTo: Seq;
  /**
   * How many records the cloud has refused that are not parked yet: nothing is sent before they
   * are.
   */
  refused: number;
  /**
   * Parked records that staff want sent again. They go first, one at a time; they have lost their
   * place in the order.
   */
  readonly again: Outgoing[];
  againInFlight: boolean;
  /** Monotonic, ms: the cloud asked for time until then. 0: it did not. */
  heldUntil: number;
}

export const emptyQueue = ({
  paced,
  cursor,
  sender,
}: {
  readonly paced: boolean;
  readonly cursor: Seq;
  readonly sender: Sender;
}): Queue => ({
  paced,
  sender,
  records: [],
  first: 0,
  next: 0,
  waitingBytes: 0,
  readTo: cursor,
  refused: 0,
  again: [],
  againInFlight: false,
  heldUntil: 0,
});

export const isIdle = ({ first, records, again, refused }: Queue): boolean =>
  first === records.length && again.length === 0 && refused === 0;

/** Nothing in it at or below this seq waits. */
export function passedTo({ records, first, readTo }: Queue): Seq {
  const oldest = records[first];
  return oldest ? ((oldest.seq - 1) as Seq) : readTo;
}

/** Hot: for each record that is read. `go` follows once for all that a reading brought. */
export function take(queue: Queue, record: Outgoing): void {
  queue.records.push(new InFlightRecord(record, queue.sender));
  queue.waitingBytes += record.end - record.start;
}

export function step(queue: Queue, event: QueueEvent, effects: QueueEffects): void {
  switch (event.kind) {
    case 'go':
      sendWhatMayGo(queue, effects);
      break;
    case 'confirmed':
      advance(queue, effects);
      break;
    case 'refused':
      refuse(queue, event.record, event.refusal, effects);
      break;
    case 'postponed':
      takeBack(queue, queue.records.indexOf(event.record, queue.first));
      hold(queue, event.waitMs, effects);
      break;
    case 'parked':
      setParked(queue, event.seq, effects);
      break;
    case 'unbearable':
      refuseWaiting(queue, event.seq, event.reason, effects);
      break;
    case 'connectionLost':
      loseConnection(queue, effects);
      break;
    case 'unload':
      loseConnection(queue, effects);
      if (queue.refused > 0) break;
      dropPassed(queue);
      forgetFrom(queue, 0);
      break;
    case 'sendAgain':
      if (!queue.again.some(({ seq }) => seq === event.record.seq)) queue.again.push(event.record);
      break;
    case 'sentAgain':
      queue.againInFlight = false;
      settleAgain(queue, event.outcome, effects);
      break;
    case 'againPostponed':
      queue.againInFlight = false;
      hold(queue, event.waitMs, effects);
      break;
  }
}

function sendWhatMayGo(queue: Queue, effects: QueueEffects): void {
  if (queue.refused > 0) return;
  const heldMs = queue.heldUntil === 0 ? 0 : queue.heldUntil - effects.now();
  if (heldMs > 0) {
    effects.wakeIn(heldMs);
    return;
  }
  if (queue.again.length > 0) sendAgain(queue, effects);
  const { paced } = queue;
  let passed = false;
  for (let record = queue.records[queue.next]; record; record = queue.records[queue.next]) {
    if (record.state !== 'waiting') {
      // Kept here only, or parked.
      leaveWaiting(queue, record);
      passed = true;
      continue;
    }
    const waitMs = paced ? effects.paceMs() : 0;
    if (waitMs > 0) {
      effects.wakeIn(waitMs);
      break;
    }
    if (!effects.hasRoomFor(record)) {
      effects.waitForRoom();
      break;
    }
    leaveWaiting(queue, record);
    record.state = 'sent';
    effects.send(record);
  }
  if (passed) advance(queue, effects);
  if (!paced || !effects.dayIsSpent) {
    effects.readOn();
    return;
  }
  // Until the cloud's day turns what was read would only take memory.
  forgetFrom(queue, queue.next);
  effects.wakeIn(effects.paceMs());
}

function sendAgain({ again, againInFlight, paced }: Queue, effects: QueueEffects): void {
  const [record] = again;
  if (!record || againInFlight) return;
  const waitMs = paced ? effects.paceMs() : 0;
  if (waitMs > 0) effects.wakeIn(waitMs);
  else if (effects.hasRoomFor(record)) effects.sendAgain(record);
  else effects.waitForRoom();
}

function leaveWaiting(queue: Queue, { start, end }: InFlightRecord): void {
  queue.next++;
  queue.waitingBytes -= end - start;
}

/**
 * Moves the cursor over what has passed without a gap; of several devices in runs of records of
 * one.
 */
function advance(queue: Queue, effects: QueueEffects): void {
  let count = 0;
  let last: InFlightRecord | null = null;
  let confirmedTo: Seq | null = null;
  for (; queue.first < queue.next; queue.first++) {
    const record = queue.records[queue.first]!;
    if (!hasPassed(record)) break;
    if (last !== null && record.deviceNo !== last.deviceNo) {
      effects.passed(last, count, confirmedTo);
      count = 0;
      confirmedTo = null;
    }
    if (record.state !== 'local' || record.stays) count++;
    if (record.state !== 'parked') confirmedTo = record.seq;
    last = record;
  }
  if (last) {
    if (queue.first * 2 >= queue.records.length) dropPassed(queue);
    effects.passed(last, count, confirmedTo);
    effects.readOn();
  }
  parkOldest(queue, effects);
}

const hasPassed = ({ state }: InFlightRecord): boolean =>
  state === 'confirmed' || state === 'parked' || state === 'local';

/**
 * A refused record is parked when it is the oldest: what is parked moves the cursor, which must not
 * pass what is in flight.
 */
function parkOldest({ records, first }: Queue, effects: QueueEffects): void {
  const oldest = records[first];
  if (oldest?.state !== 'refused') return;
  oldest.state = 'parking';
  effects.park(oldest, oldest.refusal!);
}

/** Done when it is half of them, so that each record moves once on average. */
function dropPassed(queue: Queue): void {
  queue.records.splice(0, queue.first);
  queue.next -= queue.first;
  queue.first = 0;
}

function refuse(queue: Queue, record: InFlightRecord, refusal: Refusal, effects: QueueEffects): void {
  record.state = 'refused';
  record.refusal = refusal;
  queue.refused++;
  advance(queue, effects);
}

/** Refuses a record that was in flight alone, so that nothing before it waits. */
function refuseWaiting(queue: Queue, seq: Seq, given: GivenReason, effects: QueueEffects): void {
  const refusal = { code: 0, reason: given.reason, said: codedIn(given) };
  if (queue.again[0]?.seq === seq) {
    settleAgain(queue, refusal, effects);
    return;
  }
  const record = queue.records[queue.next];
  if (record?.seq !== seq) return;
  leaveWaiting(queue, record);
  refuse(queue, record, refusal, effects);
}

function setParked(queue: Queue, seq: Seq, effects: QueueEffects): void {
  const oldest = queue.records[queue.first];
  if (oldest?.seq !== seq) return;
  oldest.state = 'parked';
  queue.refused--;
  advance(queue, effects);
  sendWhatMayGo(queue, effects);
}

function settleAgain(queue: Queue, outcome: SentAgain, effects: QueueEffects): void {
  const record = queue.again.shift();
  if (record) effects.settleParked(record, outcome);
  sendWhatMayGo(queue, effects);
}

function hold(queue: Queue, waitMs: number, effects: QueueEffects): void {
  queue.heldUntil = effects.now() + waitMs;
  effects.wakeIn(waitMs);
}

function loseConnection(queue: Queue, effects: QueueEffects): void {
  advance(queue, effects);
  takeBack(queue, queue.first);
  queue.againInFlight = false;
  queue.heldUntil = 0;
}

/**
 * Queues everything sent from this place on again, in order, whatever the cloud answered; except
 * records that are being parked.
 */
function takeBack(queue: Queue, from: number): void {
  for (let index = from; index < queue.next; index++) {
    const record = queue.records[index]!;
    queue.waitingBytes += record.end - record.start;
    if (record.state === 'parking' || record.state === 'local') continue;
    if (record.state === 'refused') queue.refused--;
    record.replaced = true;
    queue.records[index] = new InFlightRecord(record, queue.sender);
  }
  queue.next = from;
}

/** Forgets records from this place on; they are read again when they may go. */
function forgetFrom(queue: Queue, place: number): void {
  const first = queue.records[place];
  if (!first) return;
  queue.readTo = (first.seq - 1) as Seq;
  queue.records.length = place;
  queue.waitingBytes = 0;
}

import type { Channel, DeviceNo, Seq } from '../store/index.ts';
import type { Coded, GivenReason } from '../words/sentences.ts';
import type { Outgoing, Result, Sending } from './transport.ts';

/** Sender of a record, told the cloud's answer to it. */
export interface Sender {
  onAnswer(record: InFlightRecord, result: Result): void;
  /** The cloud closes the connection behind it, again and again: it can never be sent. */
  onUnbearable(record: InFlightRecord, reason: GivenReason): void;
}

/**
 * `waiting` to be sent; `sent`, not answered; `confirmed`; `refused` for good, then `parking` while
 * that is written down, then `parked`; `local`: kept here only, never sent.
 */
type RecordState = 'waiting' | 'sent' | 'confirmed' | 'refused' | 'parking' | 'parked' | 'local';

/** Why the cloud refuses a record for good. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  /** Of a reason that is a sentence of a box. */
  readonly said?: Coded | undefined;
}

/** Where a record is in flight, as the record sees it. */
interface RecordWindow {
  onAnswer(record: InFlightRecord, result: Result): void;
}

/**
 * One record from when it was read until its queue's cursor has passed it: a single object, for
 * there are some 100,000 a second. A record that is sent again is a new object, so that a late
 * answer to the old one changes nothing.
 */
export class InFlightRecord implements Sending {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly channel: Channel;
  readonly topic: string;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly receivedAt: number;
  readonly passOver: boolean;
  readonly stays: boolean;
  readonly action: number | null | undefined;
  readonly parkedAt: number | null;
  readonly refusedHere: boolean;
  readonly sender: Sender;
  state: RecordState;
  /** Of one that is refused. */
  refusal: Refusal | null = null;
  /** Another object stands for it by now. */
  replaced = false;

  // Kept by its window while it is in flight.
  window: RecordWindow | null = null;
  /** Which of the window's connections it went over. */
  connection = 0;
  sentInRound = 0;
  before: InFlightRecord | null = null;
  after: InFlightRecord | null = null;

  constructor(record: Outgoing, sender: Sender) {
    this.seq = record.seq;
    this.deviceNo = record.deviceNo;
    this.channel = record.channel;
    this.topic = record.topic;
    this.bytes = record.bytes;
    this.start = record.start;
    this.end = record.end;
    this.receivedAt = record.receivedAt;
    this.passOver = record.passOver;
    this.stays = record.stays;
    this.action = record.action;
    this.parkedAt = record.parkedAt;
    this.refusedHere = record.refusedHere === true;
    this.sender = sender;
    this.state = record.passOver ? 'local' : 'waiting';
  }

  onAnswer(result: Result): void {
    this.window?.onAnswer(this, result);
  }
}

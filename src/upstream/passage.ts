import type { Channel, DeviceNo, Seq } from '../store/index.ts';
import type { Flights } from './flights.ts';
import type { Outgoing, Result, Sending } from './transport.ts';

/** Who sent a record and wants to know what became of it. */
export interface Sender {
  settled(passage: Passage, result: Result): void;
}

/**
 * One record from when it was read until its lane's cursor has passed it, as one object: thousands a second are made and forgotten. When it goes again, it goes as a
 * new passage: an answer to the old one means nothing any more.
 */
export class Passage implements Sending {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly channel: Channel;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly receivedAt: number;
  readonly passOver: boolean;
  readonly action: number | null | undefined;
  readonly sender: Sender;
  confirmed = false;
  /** It goes again, as another one. */
  replaced = false;

  // While it is under way; its flights' own.
  flights: Flights | null = null;
  /** Which of the flights' connections it went over. */
  connection = 0;
  sentInTurn = 0;
  before: Passage | null = null;
  after: Passage | null = null;

  constructor(record: Outgoing, sender: Sender) {
    this.seq = record.seq;
    this.deviceNo = record.deviceNo;
    this.channel = record.channel;
    this.topic = record.topic;
    this.payload = record.payload;
    this.receivedAt = record.receivedAt;
    this.passOver = record.passOver;
    this.action = record.action;
    this.sender = sender;
  }

  settled(result: Result): void {
    this.flights?.settle(this, result);
  }
}

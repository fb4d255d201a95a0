import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DeviceNo, InboxMessage } from '../../store/index.ts';
import type { Inbox } from '../inbox.ts';

/**
 * A device that opens a connection for each pull and closes none would be told the same for ever:
 * so often at most.
 */
const offersMax = 3;

/** Answer to a pull, until it is known to have arrived. */
class Answer {
  readonly ids: readonly number[];
  readonly connection: Socket;
  readonly outgoing: ServerResponse;
  /** How many answers with the same oldest message went before it. */
  readonly offersBefore: number;
  /**
   * Whether the message was handed to the system whole, which does not prove that the device has
   * it.
   */
  isOut = false;

  constructor(ids: readonly number[], connection: Socket, outgoing: ServerResponse, offersBefore: number) {
    this.ids = ids;
    this.connection = connection;
    this.outgoing = outgoing;
    this.offersBefore = offersBefore;
    outgoing.once('finish', () => {
      this.isOut = true;
    });
  }

  /**
   * Whether a pull that comes on `connection` shows that it arrived. A client sends the next
   * request on a connection when it has read the answer to the one before. Where the box closed the
   * connection itself, as it was asked to, only an error would tell.
   */
  hasArrived(connection: Socket): boolean {
    if (!this.isOut) return false;
    if (this.connection === connection || this.offersBefore + 1 >= offersMax) return true;
    return !this.outgoing.shouldKeepAlive && this.connection.errored === null;
  }
}

/**
 * The answers of pulls. What the system took may still be lost on the way, so the messages stay in
 * the inbox until something shows that they arrived: the next pull on the same connection, or the
 * device closing the connection in order. A pull on another connection, while the one before is
 * still open or broke off, is offered them again with the same mid.
 */
export class PulledAnswers {
  readonly #inbox: Pick<Inbox, 'remove'>;
  /** The last answer of each device that took something; gone when it arrived. */
  readonly #ofDevice = new Map<DeviceNo, Answer>();
  /** The same by connection, and whether its end is listened for. */
  readonly #ofConnection = new WeakMap<Socket, { deviceNo: DeviceNo; answer: Answer }>();

  /** Removals of messages that arrived, until they are stored. */
  readonly #removals = new Map<DeviceNo, Promise<void>>();

  constructor(inbox: Pick<Inbox, 'remove'>) {
    this.#inbox = inbox;
  }

  /**
   * A pull comes: what it shows to have arrived, and what was known to have arrived before, is
   * removed when this resolves.
   */
  async comes(deviceNo: DeviceNo, connection: Socket): Promise<void> {
    const answer = this.#ofDevice.get(deviceNo);
    await (answer?.hasArrived(connection) ? this.#remove(deviceNo, answer) : this.#removals.get(deviceNo));
  }

  /** These messages go out in this answer. */
  goes(deviceNo: DeviceNo, messages: readonly InboxMessage[], connection: Socket, outgoing: ServerResponse): void {
    const ids = messages.map(({ id }) => id);
    const before = this.#ofDevice.get(deviceNo);
    if (ids.length === 0) {
      this.#ofDevice.delete(deviceNo);
      return;
    }
    const offersBefore = before?.ids[0] === ids[0] && before ? before.offersBefore + (before.isOut ? 1 : 0) : 0;
    const answer = new Answer(ids, connection, outgoing, offersBefore);
    this.#ofDevice.set(deviceNo, answer);
    // One listener for a connection, however many pulls it carries.
    if (!this.#ofConnection.has(connection)) connection.once('end', () => this.#ended(connection));
    this.#ofConnection.set(connection, { deviceNo, answer });
  }

  /** The device closed its side in order: it has read what was out by then. */
  #ended(connection: Socket): void {
    const { deviceNo, answer } = this.#ofConnection.get(connection)!;
    if (answer.isOut && this.#ofDevice.get(deviceNo) === answer) this.#remove(deviceNo, answer).catch(() => {});
  }

  #remove(deviceNo: DeviceNo, answer: Answer): Promise<void> {
    this.#ofDevice.delete(deviceNo);
    const removal = Promise.resolve(this.#inbox.remove(deviceNo, answer.ids)).finally(() => {
      if (this.#removals.get(deviceNo) === removal) this.#removals.delete(deviceNo);
    });
    this.#removals.set(deviceNo, removal);
    return removal;
  }
}

import type { Duplex } from 'node:stream';
import type { Client } from 'aedes';
import type { Receipt } from '../../pipeline.ts';
import type { Session } from '../../session.ts';
import type { MqttEngineOptions, Origin } from '../port.ts';
import { OwnTopics } from '../rules.ts';
import type { FramingEnds } from './framing.ts';
import { parse, refreshKeepAlive } from './internals.ts';

/** One connection, from its TLS handshake to its end: what is known of the device behind it. */
export class Connection implements FramingEnds {
  readonly address: string;
  #loggedIn: () => void;
  readonly #stream: Duplex;
  readonly #topics: OwnTopics;
  #client: Client | null = null;
  /** As the device wrote it. */
  clientId = '';
  /** As the device asked for it. */
  keepAliveSeconds = 0;
  /** From the admission to the end of the connection. */
  session: Session | null = null;
  /** The broker is through with the login, and with what came before its end. */
  isReady = false;
  /** The own topic as it was subscribed; null before. */
  topic: string | null = null;
  /** Why the box ended the connection, when it did. */
  why = '';

  constructor(stream: Duplex, origin: Origin, options: MqttEngineOptions) {
    this.#stream = stream;
    this.address = origin.address;
    this.#loggedIn = origin.loggedIn;
    this.#topics = new OwnTopics(options);
  }

  /**
   * The login is through. What is to be called then is called once, and dropped with what it holds.
   */
  onReady(): void {
    this.isReady = true;
    this.#loggedIn();
    this.#loggedIn = nothing;
  }

  /** The broker's end; it reads nothing before. */
  attach(client: Client): void {
    this.#client = client;
  }

  isOpen(): boolean {
    return this.session !== null && this.isReady && !this.#client!.closed && !this.#stream.destroyed;
  }

  mayTake(topic: string): boolean {
    return this.#topics.mayTake(this.session!, topic);
  }

  take(topic: string, payload: Buffer, receipt: Receipt): void {
    this.#topics.take(this.session!, topic, payload, receipt);
  }

  pass(bytes: Buffer): void {
    parse(this.#client!, bytes);
  }

  onTaken(): void {
    refreshKeepAlive(this.#client!);
  }

  onFailed(error: Error): void {
    this.#client!.emit('error', error);
  }
}

const nothing = (): void => {};

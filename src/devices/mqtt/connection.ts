import type { Duplex } from 'node:stream';
import type { Client } from 'aedes';
import { parseLogTopic } from '../../platform/log-topic.ts';
import type { DirectoryStore, Product } from '../../store/index.ts';
import { isOwnLog, oddModel } from '../own-log.ts';
import type { Pipeline, Receipt } from '../pipeline.ts';
import type { Session } from '../session.ts';
import { parse, refreshKeepAlive } from './aedes-internals.ts';
import type { FramingEnds } from './framing.ts';

type Note = (session: Session, kind: string, detail: string) => void;

/** Where a connection comes from. */
export interface Origin {
  readonly address: string;
  /** To be called when the device has logged in. */
  readonly loggedIn: () => void;
}

/** One connection, from its TLS handshake to its end: what is known of the device behind it. */
export class Connection implements FramingEnds {
  readonly address: string;
  #loggedIn: () => void;
  readonly #stream: Duplex;
  readonly #store: DirectoryStore;
  readonly #pipeline: Pipeline;
  readonly #note: Note;
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
  /** The log topic that was its own when it was looked at last. */
  #ownLog: { readonly topic: string; readonly product: Product | undefined } | null = null;
  /** The odd model that was noted last: once for each connection, unless it changes. */
  #notedModel: string | null = null;

  constructor(
    stream: Duplex,
    origin: Origin,
    { store, pipeline, note }: { store: DirectoryStore; pipeline: Pipeline; note: Note },
  ) {
    this.#stream = stream;
    this.address = origin.address;
    this.#loggedIn = origin.loggedIn;
    this.#store = store;
    this.#pipeline = pipeline;
    this.#note = note;
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

  /**
   * The device's messages and its own log; a log topic is judged once, and again when the product
   * changes.
   */
  mayTake(topic: string): boolean {
    if (topic === 'device') return true;
    const session = this.session!;
    const product = this.#store.directory.product(session.device.productId);
    if (topic === this.#ownLog?.topic && product === this.#ownLog.product) return true;
    const log = parseLogTopic(topic);
    if (!log || !isOwnLog(log, session)) return false;
    this.#ownLog = { topic, product };
    const odd = oddModel(log, session.device, product);
    if (odd !== null && odd !== this.#notedModel) {
      this.#notedModel = odd;
      this.#note(session, 'log_model', odd);
    }
    return true;
  }

  /** A message to a topic that it may use, on to the pipeline. */
  take(topic: string, payload: Buffer, receipt: Receipt): void {
    if (topic === 'device') this.#pipeline.message(this.session!, payload, receipt);
    else this.#pipeline.log(this.session!, topic.slice('log/'.length), payload, receipt);
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

/** What staff read about a connection that failed. */
export function whyItBroke(error: Error): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection broke off (reset by the device or on the way)';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'the network no longer reaches the device';
    default:
      return error.message;
  }
}

import { createSocket, type Socket } from 'node:dgram';
import { parseDeviceId } from '../../platform/device-id.ts';
import { decodeSetupDatagram, type SetupResult } from '../../platform/setup-result.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { plainAddress } from '../../runtime/plain-address.ts';
import { RateWindow } from '../../runtime/rate-window.ts';

/** A datagram of SPEC 4.5 has under 200 bytes; this is more than any. */
const datagramBytesMax = 1024;
/**
 * Datagrams that are read in any second: enough for dozens of devices that announce at once. More
 * are dropped.
 */
const datagramsPerSecondMax = 100;
/** The same result of a device again within this is a repetition (SPEC 4.5: at least 3 times). */
const repeatedMs = 60_000;
const newsAfterMs = 3000;
const rememberedMax = 500;
const tryAgainMs = 60_000;

interface ResultListenerOptions {
  /** Address of the listener; null if it is closed. */
  readonly address: { readonly host: string; readonly port: number } | null;
  /** Upper case: the box's own broadcasts are not those of a site device. */
  readonly ownDeviceId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onResult: (result: SetupResult) => void;
}

/**
 * Receives the results that devices broadcast (SPEC 4.5). If the port is taken, it warns and tries
 * again every minute.
 */
export class ResultListener implements AsyncDisposable {
  readonly #options: ResultListenerOptions;
  readonly #over = new AbortController();
  readonly #rate = new RateWindow(datagramsPerSecondMax, 1000);
  /** The last result of each device, and when it came; the oldest first. */
  readonly #heard = new Map<string, { readonly said: string; readonly at: number }>();
  #socket: Socket | null = null;
  #port = 0;
  dropped = 0;

  private constructor(options: ResultListenerOptions) {
    this.#options = options;
  }

  static async open(options: ResultListenerOptions): Promise<ResultListener> {
    const listener = new ResultListener(options);
    if (options.address) await listener.#listen().catch(error => listener.#tryLater(error));
    return listener;
  }

  /** The port on which it listens; 0: it does not at the moment. */
  get port(): number {
    return this.#port;
  }

  /**
   * Settings are sent to this device now. For 3 s a repetition of its last result belongs to the
   * attempt before, because no device joins a network so fast; after that any result is new.
   */
  expectNews(deviceId: string): void {
    const last = this.#heard.get(deviceId);
    const at = this.#options.clock.monotonic() + newsAfterMs - repeatedMs;
    if (last) this.#heard.set(deviceId, { said: last.said, at });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    const socket = this.#socket;
    this.#socket = null;
    if (socket) await new Promise<void>(resolve => socket.close(resolve));
  }

  #listen(): Promise<void> {
    const { host, port } = this.#options.address!;
    const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', reuseAddr: true });
    return new Promise((resolve, reject) => {
      socket.once('error', error => {
        socket.close();
        reject(error);
      });
      socket.bind({ address: host, port, exclusive: true }, () => {
        socket.removeAllListeners('error');
        // A network that went down, for example, does not concern the next datagram.
        socket.on('error', error => this.#options.log.debug({ error: error.message }, 'result_listener_error'));
        socket.on('message', (bytes, { address }) => this.#take(bytes, address));
        if (this.#over.signal.aborted) {
          socket.close();
          return resolve();
        }
        this.#socket = socket;
        this.#port = socket.address().port;
        resolve();
      });
    });
  }

  #tryLater(error: NodeJS.ErrnoException): void {
    const { address, clock, log } = this.#options;
    const why = error.code === 'EADDRINUSE' ? 'another program listens there' : (error.code ?? error.message);
    log.warn({ address: `${address!.host}:${address!.port}`, error: why }, 'device_results_not_received');
    const again = async () => {
      for (;;) {
        await clock.sleep(tryAgainMs, this.#over.signal);
        try {
          await this.#listen();
          return log.info({}, 'device_results_received_again');
        } catch {
          // Logged once; tried again every minute.
        }
      }
    };
    again().catch(() => {}); // ends by the signal alone
  }

  #take(bytes: Buffer, sender: string): void {
    const { clock, log, ownDeviceId, onResult } = this.#options;
    const now = clock.monotonic();
    if (bytes.length > datagramBytesMax || !this.#rate.take(now)) {
      this.dropped++;
      return;
    }
    const read = decodeSetupDatagram(bytes);
    const id = read.ok ? parseDeviceId(read.value.deviceId) : read;
    if (!read.ok || !id.ok) {
      this.dropped++;
      log.debug({ sender }, 'datagram_no_result');
      return;
    }
    if (id.value === ownDeviceId) return;
    const result = inTheOrderOf(sender, { ...read.value, deviceId: id.value });
    const said = JSON.stringify([result.status, result.error, result.address, result.mac]);
    const before = this.#heard.get(id.value);
    if (before && before.said === said && now - before.at < repeatedMs) return;
    this.#heard.delete(id.value);
    this.#heard.set(id.value, { said, at: now });
    if (this.#heard.size > rememberedMax) this.#heard.delete(this.#heard.keys().next().value!);
    onResult(result);
  }
}

/**
 * SPEC 4.5 does not give the byte order of addresses: if the sender's own address shows that they
 * are reversed, all are reversed.
 */
function inTheOrderOf(sender: string, result: SetupResult): SetupResult {
  const own = plainAddress(sender);
  if (result.address === own || reversed(result.address) !== own) return result;
  const { address, mask, gateway } = result;
  return { ...result, address: reversed(address), mask: reversed(mask), gateway: reversed(gateway) };
}

const reversed = (address: string): string => address.split('.').reverse().join('.');

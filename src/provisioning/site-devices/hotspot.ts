import { isUtf8 } from 'node:buffer';
import { request } from 'node:http';
import { readSsid, type Ssid } from '../../platform/ssid.ts';
import { qualityPercent, readWifiSecurity, type ScannedSecurity } from '../../platform/wifi-security.ts';
import type { Clock } from '../../runtime/clock.ts';
import { GrowingBuffer } from '../../runtime/growing-buffer.ts';
import { type GivenReason, SaidError, whyOf, withWhy } from '../../words/sentences.ts';
import { hotspotFaults, siteDeviceFailures } from '../../words/site-devices.ts';
import { SiteDeviceFailure } from './failure.ts';

/** A network that a device sees from where it hangs. */
interface SeenNetwork extends Ssid {
  /** Security; null for a word that SPEC 4.3 does not have. */
  readonly security: ScannedSecurity | null;
  /** As the device wrote it. */
  readonly written: string;
  /** Percent; null: unknown. */
  readonly quality: number | null;
}

export interface HotspotIdentity {
  readonly sn: string;
  readonly model: string;
  readonly version: string;
}

/** Where a device serves the endpoints of SPEC 4.3. */
export interface HotspotAddress {
  readonly host: string;
  readonly port: number;
}

const answerMs = 10_000;
/** A list of wifi networks, which a device may have to look for first. */
const listMs = 20_000;
const bodyBytesMax = 64 << 10;
const networksMax = 200;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The endpoints of a device's hotspot as the phone app calls them. Code as text or number, `data`
 * missing or empty, either spelling: all is read.
 */
export class HotspotClient {
  readonly #address: HotspotAddress;
  readonly #clock: Clock;

  constructor(address: HotspotAddress, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
  }

  async query(signal: AbortSignal): Promise<HotspotIdentity> {
    const data = fieldsOf((await this.#post('/device/query', undefined, answerMs, signal)).data);
    return { sn: textOf(data.sn), model: textOf(data.model), version: textOf(data.version) };
  }

  /** The strongest first. */
  async list(signal: AbortSignal): Promise<SeenNetwork[]> {
    const { data, isText } = await this.#post('/wifi/list', undefined, listMs, signal);
    if (!Array.isArray(data)) return [];
    return data
      .slice(0, networksMax)
      .map(fieldsOf)
      .map(row => {
        const written = textOf(row.anthenc ?? row.authenc ?? row.auth);
        const security = written === '' ? null : (readWifiSecurity(written) ?? null);
        const ssid = textOf(row.ssid);
        const name = isText ? { ssid } : readSsid(Buffer.from(ssid, 'latin1'));
        return { ...name, security, written, quality: qualityPercent(textOf(row.quality)) };
      })
      .filter(({ ssid }) => ssid !== '')
      .sort((one, other) => (other.quality ?? 0) - (one.quality ?? 0));
  }

  async set(setting: { ssid: string; authenc: string; key: string }, signal: AbortSignal): Promise<void> {
    const { code, msg } = await this.#post('/wifi/setting', setting, answerMs, signal);
    if (code !== 0)
      throw new SiteDeviceFailure(
        'device_error',
        siteDeviceFailures.say('device_refused_settings', { answer: code, message: msg }),
      );
  }

  async #post(path: string, body: object | undefined, ms: number, signal: AbortSignal) {
    const said = await this.#send(path, body === undefined ? '' : JSON.stringify(body), ms, signal);
    const isText = isUtf8(said);
    let fields: Fields;
    try {
      fields = fieldsOf(JSON.parse(said.toString(isText ? 'utf8' : 'latin1')));
    } catch {
      throw new SiteDeviceFailure(
        'garbled',
        siteDeviceFailures.say('hotspot_answer_not_json', { url: this.#where(path) }),
      );
    }
    const code = Number(fields.code ?? Number.NaN);
    return {
      code: Number.isNaN(code) ? textOf(fields.code) : code,
      msg: textOf(fields.msg).slice(0, 200),
      data: fields.data,
      /** Else the answer is no UTF-8, and each character of its texts is a byte. */
      isText,
    };
  }

  #where(path: string): string {
    return `http://${this.#address.host}:${this.#address.port}${path}`;
  }

  #send(path: string, body: string, timeout: number, signal: AbortSignal): Promise<Buffer> {
    const late = new AbortController();
    const over = new AbortController();
    this.#clock.sleep(timeout, over.signal).then(
      () => late.abort(),
      () => {},
    );
    const sent = new Promise<Buffer>((resolve, reject) => {
      const unreachable = (why: GivenReason) =>
        reject(
          signal.aborted
            ? signal.reason
            : new SiteDeviceFailure(
                'unreachable',
                siteDeviceFailures.say('hotspot_not_reached', { ...withWhy(whyOf(why)), url: this.#where(path) }),
              ),
        );
      const outgoing = request(
        {
          host: this.#address.host,
          port: this.#address.port,
          path,
          method: 'POST',
          agent: false,
          signal: AbortSignal.any([signal, late.signal]),
          headers: {
            'content-length': Buffer.byteLength(body),
            ...(body === '' ? {} : { 'content-type': 'application/json' }),
          },
        },
        answer => {
          const said = new GrowingBuffer();
          answer.on('data', (chunk: Buffer) => {
            if (said.length + chunk.length > bodyBytesMax)
              outgoing.destroy(new SaidError(hotspotFaults.say('hotspot_answer_too_large', { bytes: bodyBytesMax })));
            else said.add(chunk);
          });
          answer.on('error', error => unreachable(faultOf(error)));
          answer.on('end', () => {
            if (answer.statusCode === 200) return resolve(said.take());
            unreachable(hotspotFaults.say('hotspot_http_status', { status: answer.statusCode! }));
          });
        },
      );
      outgoing.on('error', error =>
        unreachable(
          late.signal.aborted ? hotspotFaults.say('hotspot_no_answer', { seconds: timeout / 1000 }) : faultOf(error),
        ),
      );
      outgoing.end(body);
    });
    return sent.finally(() => over.abort());
  }
}

const faultOf = (error: NodeJS.ErrnoException): GivenReason =>
  error instanceof SaidError ? error.said : { reason: error.code ?? error.message };

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import type { DrillReport } from '../../src/admin/index.ts';
import type { UpdateReport } from '../../src/updates/index.ts';
import { call as callAtOnce } from '../support/terminal.ts';
import type { CardCut, DiskLabel } from './card.ts';
import { ImageMachine } from './machine.ts';

const password = 'a-password-of-mei-s';
const productKey = 's3cret-of-the-product';
const terminals = ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003'];
const config = `
site: { name: Plant 4, timezone: Asia/Shanghai, locale: en }
provisioning: { wifi: off, bluetooth: off }
`;
const site = `
products:
  - { product_id: FACE-T1, product_key: ${productKey}, name: Face terminal, model: FT1, access: both }
devices: [${terminals.map(id => `{ device_id: ${id}, name: Gate ${id.slice(-1)} }`).join(', ')}]
users:
  - { name: mei, password: "${password}", role: admin }
`;
/** What the installer put on the card. */
export const settings = { 'gatehouse.yaml': config, 'site.yaml': site };
const finished = new Set(['good', 'kept', 'rolled-back', 'failed', 'interrupted']);

/** An emulated machine on a busy one takes its time. */
const call: typeof callAtOnce = (url, options) => callAtOnce(url, { timeoutMs: 120_000, ...options });

/** A record that the box has acknowledged. */
export interface Acknowledged {
  readonly text: string;
  /** Which start of the machine it was, from 1. */
  readonly start: number;
  /** How long the log of the card was then. */
  readonly position: number;
}

/** A box that runs an image, as the terminals and the people of its site see it. */
export class ImageBox implements AsyncDisposable {
  readonly machine: ImageMachine;
  acknowledged: Acknowledged[] = [];
  /** The authority of its certificate; known after `ready`. */
  ca = '';
  start = 0;

  private constructor(machine: ImageMachine) {
    this.machine = machine;
  }

  /** Flashes a card, puts the settings of the site on it, and switches the machine on. */
  static async switchedOn(image: string, label: DiskLabel): Promise<ImageBox> {
    const box = new ImageBox(await ImageMachine.flashed(image, settings, label));
    await box.switchOn();
    return box;
  }

  async switchOn(): Promise<void> {
    this.start++;
    await this.machine.switchOn();
  }

  /** The card was put back to a time before all that the box has said. */
  forget(): void {
    this.acknowledged = [];
    this.ca = '';
  }

  /** Resolves when the pages are served. */
  async ready(): Promise<void> {
    const { machine } = this;
    await machine.until(
      'HTTPS answers',
      async () => {
        this.ca ||= await machine.authority();
        return (await callAtOnce(`${machine.url}/`, { ca: this.ca })).status === 200 ? true : null;
      },
      900,
    );
  }

  async signedIn(): Promise<Record<string, string>> {
    const { url } = this.machine;
    const answer = await call(`${url}/admin/v1/session`, {
      method: 'POST',
      ca: this.ca,
      headers: { 'Content-Type': 'application/json', Origin: url },
      body: JSON.stringify({ name: 'mei', password }),
    });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
    return { Cookie: String(answer.headers['set-cookie']).split(';')[0]!, Origin: url };
  }

  /** Asks the admin interface; a body makes it a POST. Throws what is not a 200. */
  async ask<T>(path: string, body?: object): Promise<T> {
    const headers = await this.signedIn();
    const answer = await call(`${this.machine.url}/admin/v1${path}`, {
      ca: this.ca,
      ...(body === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          }),
    });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}: ${answer.body}`);
    return JSON.parse(answer.body) as T;
  }

  /** Cuts the power. What was acknowledged after the moment of the cut was never acknowledged. */
  async cutPower(cut: CardCut = {}): Promise<void> {
    await this.machine.cutPower(cut);
    this.acknowledged = this.acknowledgedAt(cut.at);
  }

  /** What was acknowledged when the log of a start, the last one if none is named, had this length. */
  acknowledgedAt(position = Number.POSITIVE_INFINITY, start = this.start): Acknowledged[] {
    return this.acknowledged.filter(one => one.start < start || (one.start === start && one.position <= position));
  }

  /**
   * The terminals say one record after another, and begin again when they are cut off, until
   * `until` has come to its end. SPEC 8: twenty a second of each are kept, what is beyond is
   * acknowledged and dropped.
   */
  async underLoad<T>(name: string, until: () => Promise<T>, pauseMs = 60): Promise<T> {
    const over = new AbortController();
    const talking = terminals.map(async deviceId => {
      for (let n = 1; !over.signal.aborted; ) {
        const client = await this.#connected(deviceId).catch(() => null);
        const hangUp = () => void client?.end(true);
        over.signal.addEventListener('abort', hangUp);
        try {
          for (; client && !over.signal.aborted; n++) {
            const text = JSON.stringify({ log: `${name}-${n}`, of: deviceId });
            await client.publishAsync(`log/FACE-T1/${deviceId.slice(-5)}`, text, { qos: 1 });
            this.acknowledged.push({ text, start: this.start, position: this.machine.card.position });
            await setTimeout(pauseMs, null, { signal: over.signal });
          }
        } catch {
          // Cut off: this one was not acknowledged.
        }
        hangUp();
        over.signal.removeEventListener('abort', hangUp);
        await setTimeout(1000, null, { signal: over.signal }).catch(() => {});
      }
    });
    try {
      return await until();
    } finally {
      over.abort();
      await Promise.all(talking);
    }
  }

  async #connected(deviceId: string): Promise<MqttClient> {
    const md5 = createHash('md5').update(`${deviceId}-FACE-T1-${productKey}`).digest('hex');
    const client = await mqtt.connectAsync(
      this.machine.mqttUrl,
      {
        ...{ clientId: deviceId, username: 'FACE-T1', password: md5, ca: this.ca },
        ...{ reconnectPeriod: 0, connectTimeout: 60_000 },
      },
      false,
    );
    client.on('error', () => {});
    // Whoever waits for an acknowledgement on it is told that none comes.
    client.once('close', () => client.end(true));
    return client;
  }

  /** The acknowledged records that the box has not. */
  async lost(): Promise<string[]> {
    const headers = await this.signedIn();
    const kept = await call(`${this.machine.url}/admin/v1/export/logs`, { ca: this.ca, headers });
    const lines = kept.body.split('\n').filter(Boolean);
    const texts = new Set(lines.map(line => JSON.parse(line).text as string));
    return this.acknowledged.filter(({ text }) => !texts.has(text)).map(({ text }) => text);
  }

  /**
   * Looks at the numbers of the drill as the page does, until the one with which `enough` is
   * content. Resolves to it, and to the position of the card when it came.
   */
  async numberOfDrill(enough: number): Promise<{ written: number; position: number }> {
    for await (const line of this.machine.lines('/admin/v1/drill/card/numbers', {
      ca: this.ca,
      headers: await this.signedIn(),
    })) {
      const { written } = JSON.parse(line) as { written?: number };
      if (written === undefined) break;
      if (written >= enough) return { written, position: this.machine.card.position };
    }
    throw new Error(`the drill ended: ${JSON.stringify(await this.drill())}`);
  }

  drill(): Promise<DrillReport> {
    return this.ask('/drill');
  }

  updates(): Promise<UpdateReport> {
    return this.ask('/update');
  }

  async send(bundle: string): Promise<{ status: number; body: string }> {
    return this.machine.send(bundle, '/admin/v1/update/bundle', { ca: this.ca, headers: await this.signedIn() });
  }

  /** Sends a bundle, begins with it, and waits until the box says how it went. */
  async updatedBy(bundle: string, version: string, withinMinutes: number): Promise<UpdateReport> {
    const sent = await this.send(bundle);
    if (sent.status !== 200) throw new Error(`${sent.status}: ${sent.body}`);
    await this.ask('/update', { file: JSON.parse(sent.body).file });
    return this.machine.until(
      `the box says how the update to ${version} went`,
      async () => {
        const update = await this.updates();
        return update.last?.to === version && finished.has(update.last.outcome) && !update.progress ? update : null;
      },
      withinMinutes * 60,
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.machine[Symbol.asyncDispose]();
  }
}

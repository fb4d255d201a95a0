import { isSea } from 'node:sea';
import type { BoxStatus } from '../../src/admin/index.ts';
import { counted, number } from '../../src/cli/wording.ts';
import { parseEnvelope } from '../../src/platform/envelope.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { SimCloud } from '../sim/index.ts';

/** Acknowledged messages and logs, for each device in the order in which it sent them. */
type AcknowledgedTexts = ReadonlyMap<string, readonly { readonly channel: 'device' | 'log'; readonly text: string }[]>;
export interface Acknowledged {
  of(): AcknowledgedTexts;
}

const total = (texts: AcknowledgedTexts): number => [...texts.values()].reduce((sum, { length }) => sum + length, 0);

/**
 * How many of what was acknowledged the cloud has not, or has in another order. Messages and logs
 * of a device are two queues (CONTRACT 5), in order each.
 */
export function missing(texts: AcknowledgedTexts, cloud: SimCloud): number {
  let count = 0;
  for (const [deviceId, said] of texts) {
    const arrived = cloud.arrivals.firstOf(deviceId);
    for (const channel of ['device', 'log'] as const)
      count += missingOf(
        said.filter(one => one.channel === channel).map(({ text }) => text),
        arrived.filter(arrival => arrival.channel === channel).map(({ payload }) => payload),
      );
  }
  return count;
}

function missingOf(said: readonly string[], arrived: readonly string[]): number {
  let at = 0;
  for (const text of said) if (arrived[at] === text) at++;
  return said.length - at;
}

interface Scene {
  readonly dataDir: string;
  readonly cloud: SimCloud;
  readonly box: {
    readonly addresses: Readonly<Record<string, string | null>>;
    readonly accounts: { setupCode(): Promise<string | null> };
  };
  onRecord: (payload: string, deviceId: string) => void;
}

const checkTypeWords: Readonly<Record<string, string>> = {
  fa: 'by face',
  fp: 'by fingerprint',
  card: 'by card',
  pass: 'by password',
};

/** Tells the demo as it goes, for somebody who sees it for the first time. */
export class DemoStory {
  readonly #say: (line: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #recordsToTell = 0;

  constructor(say: (line: string) => Promise<void>, clock: Clock) {
    this.#say = say;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  async opening(scene: Scene): Promise<void> {
    const { mqtts, https, hotspot } = scene.box.addresses;
    await this.#say('Gatehouse demo: a box, a simulated cloud and four simulated terminals, all on this machine.');
    await this.#say('');
    await this.#say(`  the box     mqtts://${mqtts}  https://${https}`);
    await this.#say(`  the cloud   ${scene.cloud.urls.deviceMqtt}  ${scene.cloud.urls.deviceHttp}  (simulated)`);
    if (hotspot)
      await this.#say(
        `  set-up      http://${hotspot}  what a phone sees in the box's hotspot; network Plant, password secret123`,
      );
    await this.#say('  terminals   FACE-T1_A0001 to A0003 over MQTT, FACE-T1_A0004 over HTTP, all under TLS');
    await this.#say('');
    await this.#say(
      `  Open https://${https} in a browser; the setup code for the first account is ${await scene.box.accounts.setupCode()}.`,
    );
    await this.#say("  The browser warns: the certificate is the box's own.");
    await this.#say('');
    await this.#say('  Look at the box from another terminal:');
    const program = isSea() ? process.execPath : 'bin/gatehouse';
    const where = `--data-dir ${scene.dataDir}`;
    for (const words of ['status', 'status --device FACE-T1_A0001', 'export --what checkins --format csv'])
      await this.#say(`    ${program} ${words} ${where}`);
    scene.onRecord = (payload, deviceId) => this.#record(payload, deviceId);
  }

  async chapter(title: string): Promise<void> {
    await this.#say('');
    await this.#say(title);
    await this.#say('');
  }

  /** Says who came in, for so many of the punches that reach the cloud from now on. */
  tellRecords(count: number): void {
    this.#recordsToTell = count;
  }

  #record(payload: string, deviceId: string): void {
    if (this.#recordsToTell <= 0) return;
    const envelope = parseEnvelope(Buffer.from(payload));
    const records = envelope.ok ? envelope.value.data.records : undefined;
    const [first] = Array.isArray(records) ? records : [];
    const name = first?.check_data?.member_name;
    if (typeof name !== 'string') return;
    this.#recordsToTell--;
    void this.#say(`${this.#elapsed()}    ${name} came in at ${deviceId} ${checkTypeWords[first.check_type] ?? ''}`);
  }

  async counts(terminals: Acknowledged, cloud: SimCloud, { line, outbox }: BoxStatus): Promise<void> {
    const acknowledged = number(total(terminals.of())).padStart(4);
    const arrived = number(cloud.stats().received).padStart(4);
    const waiting = number(outbox.waiting).padStart(4);
    await this.#say(
      `${this.#elapsed()}  acknowledged to terminals ${acknowledged}   in the cloud ${arrived}   waiting ${waiting}   line ${line.state}`,
    );
  }

  async quote(command: string, text: string): Promise<void> {
    await this.#say('');
    await this.#say(`  $ ${command}`);
    for (const line of text.trimEnd().split('\n')) await this.#say(`  ${line}`);
    await this.#say('');
  }

  /** Answers how many are missing. */
  async verdict(upTo: AcknowledgedTexts, cloud: SimCloud): Promise<number> {
    const lost = missing(upTo, cloud);
    const { drops, duplicates } = cloud.stats();
    await this.#say('');
    if (lost === 0) {
      await this.#say(
        `Nothing was lost: all ${counted(total(upTo), 'record')} that the terminals were thanked for up to then are in the cloud,`,
      );
      await this.#say(
        `each terminal's in its order; sent twice ${duplicates}, dropped by the cloud for going too fast ${drops.rate + drops.day}.`,
      );
    } else await this.#say(`${counted(lost, 'record')} missing or out of order: this must not happen.`);
    return lost;
  }

  #elapsed(): string {
    return `${((this.#clock.monotonic() - this.#startedAt) / 1000).toFixed(0).padStart(4)} s`;
  }
}

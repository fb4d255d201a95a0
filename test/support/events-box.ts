import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoxProcess } from './program.ts';
import { aSite, productKey } from './site.ts';
import { MqttTerminal } from './terminal.ts';

/** A box with the broker for programs open, one person, and terminals over MQTT. */
export class EventsBox implements AsyncDisposable {
  readonly box: BoxProcess;
  readonly #ca: string;
  readonly #terminals: MqttTerminal[] = [];

  private constructor(box: BoxProcess, ca: string) {
    this.box = box;
    this.#ca = ca;
  }

  static async start(config: Record<string, unknown> = {}, site: Record<string, unknown> = {}): Promise<EventsBox> {
    const { listen, ...rest } = config;
    const box = await BoxProcess.start(
      { listen: { events: '127.0.0.1:0', ...(listen as object) }, ...rest },
      aSite({
        employees: [{ ext_id: 'p1', name: 'Li Mei', employee_num: '1001', department: { ext_id: '0' } }],
        departments: [{ ext_id: '0', name: 'Plant 4' }],
        ...site,
      }),
    );
    const trust = join(box.folder, 'trust.pem');
    await box.ask('trust', 'export', '--edition', 'slim', '--out', trust);
    return new EventsBox(box, await readFile(trust, 'utf8'));
  }

  /** Of the broker for programs. */
  get url(): string {
    return `mqtt://${this.box.addresses.events}`;
  }

  async token(name: string, topics: string, ...more: string[]): Promise<string> {
    const made = await this.box.ask('token', 'create', '--role', 'events', '--name', name, '--topics', topics, ...more);
    return made.trim();
  }

  /** Its first punch is that of Li Mei. */
  terminal(deviceId = 'FACE-T1_A0001'): MqttTerminal {
    const url = `mqtts://${this.box.addresses.mqtts}`;
    const terminal = new MqttTerminal({ deviceId, key: productKey }, url, { ca: this.#ca });
    this.#terminals.push(terminal);
    return terminal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const terminal of this.#terminals) await terminal.end();
    await this.box[Symbol.asyncDispose]();
  }
}

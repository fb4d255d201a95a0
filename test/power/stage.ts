import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoxProcess } from '../support/program.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { HttpTerminal, MqttTerminal } from '../support/terminal.ts';
import type { FuseDisk } from './fuse-disk.ts';
import type { Notebook } from './notebook.ts';

/** Listeners for the terminals of a scenario; limits that refuse nothing. */
const config = {
  listen: { mqtt: '127.0.0.1:0' },
  limits: { log_per_second: 1_000_000, log_per_day: 100_000_000 },
};

/** What a scenario plays on: a box whose data are on the logged disk. */
export class Stage implements AsyncDisposable {
  /** The root of the logged file system, in the place of `/data`. */
  readonly folder: string;
  readonly disk: FuseDisk;
  readonly notes: Notebook;
  readonly #program: string | undefined;
  readonly #parts = new AsyncDisposableStack();
  #config: Record<string, unknown> = config;

  constructor(folder: string, disk: FuseDisk, notes: Notebook, program: string | undefined) {
    this.folder = folder;
    this.disk = disk;
    this.notes = notes;
    this.#program = program;
  }

  get dataDir(): string {
    return join(this.folder, 'data', 'gatehouse');
  }

  /** The config of the box, for a start of what a cut left. */
  get config(): Record<string, unknown> {
    return this.#config;
  }

  use<T extends AsyncDisposable>(part: T): T {
    return this.#parts.use(part);
  }

  /** A box that runs; killed when the recording ends. */
  async box(change: Record<string, unknown> = {}, site: unknown = aSite()): Promise<BoxProcess> {
    const box = await this.newBox(change, site);
    await box.start();
    return box;
  }

  /** A box that was not started yet. */
  async newBox(change: Record<string, unknown> = {}, site: unknown = aSite()): Promise<BoxProcess> {
    this.#config = { ...config, ...change };
    await mkdir(this.dataDir, { recursive: true });
    return this.use(await BoxProcess.make(this.#config, site, {}, this.dataDir, this.#program));
  }

  /** Terminals that are connected over MQTT; `after` as many, which are others. */
  mqttTerminals(box: BoxProcess, count: number, after = 0): MqttTerminal[] {
    return deviceIds(after + count)
      .slice(after)
      .map(deviceId => {
        const terminal = new MqttTerminal({ deviceId, key: productKey }, `mqtt://127.0.0.1:${box.port('mqtt')}`, {
          reconnectPeriod: 0,
        });
        this.#parts.defer(() => void terminal.client.end(true));
        this.notes.listensTo(terminal);
        return terminal;
      });
  }

  /** Terminals over HTTP; they connect with their first record. */
  async httpTerminals(box: BoxProcess, count: number): Promise<HttpTerminal[]> {
    const ca = await readFile(join(this.dataDir, 'tls', 'ca.pem'), 'utf8');
    return deviceIds(count).map(deviceId => {
      const terminal = new HttpTerminal({ deviceId, key: productKey }, `https://127.0.0.1:${box.port('https')}`, ca);
      this.#parts.defer(() => terminal.end());
      this.notes.listensTo(terminal);
      return terminal;
    });
  }

  /** Ends what still runs, the newest first. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

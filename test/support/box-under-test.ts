import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { CommandOptions, Outcome } from './command.ts';

/**
 * Addresses of the `ready` line, such as `mqtts: "127.0.0.1:40123"`; null where a listener is off.
 */
export type Addresses = Readonly<Record<string, string | null>>;

/** Where a box is, and what it is started with. */
export interface BoxPlace {
  readonly folder: string;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Temporary folders may be in memory, which a box refuses in production. */
const onDisk = fileURLToPath(new URL('../../node_modules/.cache/boxes', import.meta.url));

/** A folder for a box; its data directory is in it unless one is given. */
export async function aBoxPlace(env: NodeJS.ProcessEnv = {}, dataDir?: string): Promise<BoxPlace> {
  const below = env.GATEHOUSE_ENVIRONMENT === 'production' ? onDisk : tmpdir();
  await mkdir(below, { recursive: true });
  const folder = await mkdtemp(join(below, 'gatehouse-box-'));
  return { folder, env, dataDir: dataDir ?? join(folder, 'data') };
}

/**
 * A box on a temporary data directory and free ports of the loopback, and the commands against it,
 * running or stopped. The ports that the first start picked stay the same after a restart.
 */
export abstract class BoxUnderTest implements AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  addresses: Addresses = {};
  protected readonly env: NodeJS.ProcessEnv;
  #config: Record<string, unknown> = {};

  protected constructor({ folder, dataDir, env }: BoxPlace) {
    this.folder = folder;
    this.dataDir = dataDir;
    this.env = env;
  }

  abstract start(): Promise<Addresses>;
  /** Ends the box properly. */
  abstract stop(): Promise<unknown>;
  protected abstract command(args: readonly string[], options: CommandOptions): Promise<Outcome>;
  /** Ends the box in any way. */
  protected abstract end(): Promise<unknown>;

  get configFile(): string {
    return join(this.folder, 'gatehouse.yaml');
  }

  /** Applied at each start. */
  get siteFile(): string {
    return join(this.folder, 'site.yaml');
  }

  /** Writes the config, over a default of loopback listeners on free ports, and the site. */
  protected async write(config: Record<string, unknown>, site: unknown): Promise<void> {
    this.#config = {
      data_dir: this.dataDir,
      provisioning: { bluetooth: 'off', wifi: 'off', result_listen: 'off' },
      ...config,
      listen: {
        mqtts: '127.0.0.1:0',
        mqtt: 'off',
        https: '127.0.0.1:0',
        http: 'off',
        metrics: 'off',
        ...(config.listen as object),
      },
    };
    await writeFile(this.siteFile, stringify(site));
    await this.#writeConfig();
  }

  async configure(change: Record<string, unknown>): Promise<void> {
    Object.assign(this.#config, change);
    await this.#writeConfig();
  }

  async #writeConfig(): Promise<void> {
    await writeFile(this.configFile, stringify(this.#config));
  }

  /** Notes the addresses of a start, so that the next one takes the same ports. */
  protected async keep(addresses: Addresses): Promise<Addresses> {
    this.addresses = addresses;
    const listen = this.#config.listen as Record<string, unknown>;
    for (const [name, address] of Object.entries(addresses)) if (address && name in listen) listen[name] = address;
    await this.#writeConfig();
    return addresses;
  }

  /** The port of a listener of the `ready` line. */
  port(listener: string): number {
    return Number(/:(\d+)$/.exec(this.addresses[listener] ?? '')?.[1]);
  }

  /** Runs a command against this box, running or stopped. */
  run(...args: string[]): Promise<Outcome> {
    return this.runWith({}, ...args);
  }

  /** The same with an environment or standard input. */
  runWith(options: CommandOptions, ...args: string[]): Promise<Outcome> {
    return this.command([...args, '--data-dir', this.dataDir], { cwd: this.folder, ...options });
  }

  /** Runs a command that must succeed, and returns its output. */
  async ask(...args: string[]): Promise<string> {
    const outcome = await this.run(...args);
    if (outcome.status !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${outcome.status}: ${outcome.stderr}`);
    return outcome.stdout;
  }

  async export<Row>(what: 'logs' | 'checkins' | 'access'): Promise<Row[]> {
    const text = await this.ask('export', '--what', what, '--format', 'ndjson');
    return text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

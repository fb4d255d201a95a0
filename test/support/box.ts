import { type Box, openBox } from '../../src/box/index.ts';
import { loadConfig, readSiteFile } from '../../src/config/index.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { type Addresses, aBoxPlace, BoxUnderTest } from './box-under-test.ts';
import { type CommandOptions, type Outcome, runCommand } from './command.ts';
import { lightHash } from './hash-strength.ts';

/** A box in this process. Commands against it run in this process too. */
export class LocalBox extends BoxUnderTest {
  #opened: Box | null = null;
  /** From the next start on. */
  clock: Clock = realClock;

  /** `config` overrides the default of `BoxUnderTest`; `env`: variables that override both. */
  static async make(
    config: Record<string, unknown> = {},
    site: unknown = {},
    env: NodeJS.ProcessEnv = {},
  ): Promise<LocalBox> {
    const box = new LocalBox(await aBoxPlace(env));
    await box.write(config, site);
    return box;
  }

  /** The open box. Throws where it is stopped. */
  get opened(): Box {
    if (!this.#opened) throw new Error('the box is stopped');
    return this.#opened;
  }

  /** As `gatehouse serve --config FILE --apply SITE`. */
  async start(): Promise<Addresses> {
    const { config, origin, fileOf } = loadConfig({ file: this.configFile, env: this.env, cwd: this.folder });
    const site = readSiteFile(this.siteFile, this.folder);
    const world = { clock: this.clock, random: realRandom, log: silentLog, origin, fileOf, hashStrength: lightHash };
    this.#opened = await openBox(config, world, async admin => {
      const outcome = await admin.apply({ site: site.site, prune: false, dryRun: false });
      if (!outcome.ok) throw site.refused(outcome.problems);
    });
    return this.keep(this.#opened.addresses);
  }

  async stop(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await opened?.[Symbol.asyncDispose]();
  }

  protected override end(): Promise<void> {
    return this.stop();
  }

  protected override command(args: readonly string[], options: CommandOptions): Promise<Outcome> {
    return runCommand(args, options);
  }
}

/** A box that runs in this process. */
export async function aBox(...made: Parameters<typeof LocalBox.make>): Promise<LocalBox> {
  const box = await LocalBox.make(...made);
  await box.start();
  return box;
}

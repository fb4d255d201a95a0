import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { BundleReport, UpdateReport } from './port.ts';

export interface UpdatesOptions {
  readonly dataDir: string;
  /** Where systemd/lib keeps the programs of updates. */
  readonly programDir: string;
  /** A folder for each USB stick. */
  readonly sticksDir: string;
  /**
   * Where the box may ask for a rollback (systemd's RUNTIME_DIRECTORY); null: no unit watches it.
   */
  readonly runtimeDir: string | null;
  /** In a container there is no system to update: the engine starts another image. */
  readonly isInContainer: boolean;
  readonly version: string;
  readonly processor: string;
  readonly clock: Clock;
  readonly log: Log;
  storeBytes(): number;
  /** Whether an update is under way, each time that it changes. */
  underWay(on: boolean): void;
  backup(file: string): Promise<unknown>;
  /** Ends the program so that systemd starts the one in force; null: nothing would restart it. */
  leaver(): (() => void) | null;
}

export interface Updates {
  report(): Promise<UpdateReport>;
  /** Throws UpdateRefused, as all below do. */
  inspect(file: string): Promise<BundleReport>;
  /**
   * Resolves when the update has started; the report has its progress. `allowOlder`: an
   * administrator wants a bundle that is older than the running version. Otherwise it is refused: a
   * valid signature does not mean that a version has no known holes.
   */
  start(file: string, options?: { readonly allowOlder?: boolean }): Promise<BundleReport>;
  receive(bytes: number, body: AsyncIterable<Uint8Array>): Promise<BundleReport>;
  rollBack(): Promise<void>;
}

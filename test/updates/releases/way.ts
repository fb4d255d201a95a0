import type { Made } from './made.ts';

/** A box in production that began with the store and the config of a release. */
export interface UpdatedBox extends AsyncDisposable {
  port(listener: string): number;
  /** The certificate authority of its listeners. */
  ca(): Promise<string>;
  /** The process that serves, or is about to. */
  pid(): Promise<number>;
  /** Output of a command of the box, which must succeed. */
  ask(...words: string[]): Promise<string>;
  /** Serves; a box that was killed is started again by what watches over it. */
  ready(): Promise<void>;
  /** Brings the newer program, as documented, and resolves when its first start has begun. */
  update(): Promise<void>;
  /** Brings the release back in the same way. */
  back(): Promise<void>;
}

/** A documented way from one version to the next, and back (docs/upgrade.md). */
export interface Way {
  readonly name: string;
  /** Tools that this machine lacks for it. */
  readonly missing: readonly string[];
  /** Installs the release over the folder of its fixture, and starts it. */
  open(made: Made, fixture: string): Promise<UpdatedBox>;
}

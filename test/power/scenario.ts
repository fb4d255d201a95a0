import type { Demands } from './checker.ts';
import type { Findings } from './findings.ts';
import type { RecordingNotes } from './recording.ts';
import type { Stage } from './stage.ts';
import type { Stored } from './stored.ts';

export interface Scenario {
  /** For `--only`. */
  readonly name: string;
  /** For the page: what happens while the power is cut. */
  readonly says: string;
  /** The size of the disk; 32 where it is left out. */
  readonly megabytes?: number;
  readonly demands?: Demands;
  /**
   * A start of the box has to finish something before the store can be read, such as a migration:
   * the store is opened and closed first, as a start does.
   */
  readonly settles?: boolean;
  /** Of the cuts of a record, beside those of others; 1 where it is left out. */
  readonly share?: number;
  /** One cut in so many is given to a real box; 200 where it is left out. */
  readonly startedEach?: number;
  play(stage: Stage): Promise<void>;
  /** What else must hold after a cut at this request. */
  check?(
    cut: {
      readonly dataDir: string;
      readonly stored: Stored;
      readonly notes: RecordingNotes;
      readonly entries: number;
    },
    found: Findings,
  ): Promise<void> | void;
}

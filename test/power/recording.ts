/** What is known of a recording beside its disk and its log; it goes into a file as JSON. */
export interface RecordingNotes {
  readonly scenario: string;
  /** The scenario proper begins at this request; before it the box was being set up. */
  readonly from: number;
  /** Requests when the recording ended. What came later belongs to the clearing up. */
  readonly to: number;
  readonly devices: readonly DeviceNotes[];
  /** What else was promised. See `Promised`. */
  readonly promises: readonly Promised[];
  /** The config that the box ran with. */
  readonly config: Readonly<Record<string, unknown>>;
}

export interface DeviceNotes {
  readonly deviceId: string;
  /** In the order in which they were sent. */
  readonly sent: readonly SentRecord[];
}

export interface SentRecord {
  readonly channel: 'device' | 'log';
  readonly text: string;
  /** The disk's position when the acknowledgement came; null: none came. */
  readonly position: number | null;
}

/** Something other than a record that was promised at a position, as a scenario understands it. */
export interface Promised {
  readonly what: string;
  readonly value: string;
  readonly position: number;
}

/** A disk before the first request, the log of all that it was asked to write, and the notes. */
export interface Recording {
  readonly notes: RecordingNotes;
  readonly base: string;
  readonly log: string;
}

/** The positions of all acknowledgements and promises. */
export const acknowledgedPositions = (notes: RecordingNotes): number[] => [
  ...notes.devices.flatMap(({ sent }) => sent.flatMap(({ position }) => (position === null ? [] : [position]))),
  ...notes.promises.map(({ position }) => position),
];

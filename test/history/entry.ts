/**
 * One line of a history, as README.md describes it. `n` numbers the records of one device and kind
 * in the order in which they were first sent: each is larger than the one before.
 */
export type Entry = Line & {
  /** Milliseconds of the monotonic clock of the machine. */
  readonly at: number;
  /** Who writes the line, for readers: `device`, `cloud`, `box`, `program`, `payroll`, `staff`. */
  readonly by: string;
};

export type Line =
  | Login
  | Send
  | Ack
  | Arrival
  | Parked
  | Drained
  | Read
  | Row
  | ReadEnd
  | Moment
  | Restored
  | Page
  | Heard
  | Level
  | Post
  | Message
  | Emptied
  | Command
  | Answer
  | Ended
  | Note;

export interface RecordOf {
  readonly device: string;
  readonly kind: string;
  readonly n: number;
}

/** The login was accepted; the sessions of a device are numbered in that order, from 1. */
export interface Login {
  readonly op: 'login';
  readonly device: string;
  readonly session: number;
}
export interface Send extends RecordOf {
  readonly op: 'send';
  readonly session?: number;
  /** A kind whose records have mids is stored exactly once, others may be stored again when sent again. */
  readonly mid?: string;
  /** Of what was sent; any text that differs where the content does. */
  readonly digest?: string;
}
export interface Ack extends RecordOf {
  readonly op: 'ack';
  readonly session?: number;
}
export interface Arrival extends RecordOf {
  readonly op: 'arrival';
  readonly to: string;
  readonly mid?: string;
  readonly digest?: string;
  /** Of the bytes that arrived, which may have more than was sent: the same each time. */
  readonly bytes?: string;
}
export interface Parked extends RecordOf {
  readonly op: 'parked';
  readonly to: string;
}
/** Nothing waits: what was acknowledged until here has arrived or is parked. */
export interface Drained {
  readonly op: 'drained';
  readonly to: string;
  readonly devices?: readonly string[];
}
export interface Read {
  readonly op: 'read';
  readonly store: string;
  readonly kind: string;
  readonly devices?: readonly string[];
  /** This store has the rows that the last reading of that one had, in that order. */
  readonly as?: string;
  /** A full disk may have dropped the oldest records of each device. */
  readonly may_lack?: 'oldest';
}
export interface Row extends RecordOf {
  readonly op: 'row';
  readonly store: string;
  readonly id?: number;
  readonly session?: number;
  readonly digest?: string;
  /** When the store received it, in any unit. */
  readonly received?: number;
}
export interface ReadEnd {
  readonly op: 'read_end';
  readonly store: string;
  readonly kind: string;
}
export interface Moment {
  readonly op: 'moment';
  readonly name: string;
}
export interface Restored {
  readonly op: 'restored';
  /** The name of a moment. */
  readonly to: string;
}
export interface Page {
  readonly op: 'page';
  readonly program: string;
  readonly from: number;
  readonly next_id: number;
  readonly ids: readonly number[];
}
/** An event that a program has done its work for. */
export interface Heard {
  readonly op: 'event';
  readonly program: string;
  readonly id: number;
}
/** A program has caught up: it was given the ids of the last reading, and no more. */
export interface Level {
  readonly op: 'level';
  readonly program: string;
  readonly store: string;
  readonly kind: string;
}
export interface Post {
  readonly op: 'post';
  readonly device: string;
  readonly n: number;
}
export interface Message {
  readonly op: 'message';
  readonly device: string;
  readonly n: number;
}
export interface Emptied {
  readonly op: 'emptied';
  readonly devices?: readonly string[];
}
export interface Command {
  readonly op: 'command';
  readonly program: string;
  readonly n: number;
}
export interface Answer {
  readonly op: 'answer';
  readonly program: string;
  readonly n: number;
}
export interface Ended {
  readonly op: 'ended';
  readonly program: string;
}
/** For readers alone, such as a kill. */
export interface Note {
  readonly op: 'note';
  readonly text: string;
}

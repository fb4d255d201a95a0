import { type TargetFailure, targetFailures } from '../words/backup-targets.ts';
import { type Reason, SaidError } from '../words/sentences.ts';

/** Failures of which no more is known than the place, and what others say of it. */
export type PlainFailure = Exclude<
  TargetFailure,
  'full_for' | 'no_box_above' | 'no_recovery_key' | 'no_room' | 'no_room_for'
>;

/** A target could not be used. What was good there before is still there. Names no secret. */
export class TargetFailed extends SaidError {
  declare readonly said: Reason;

  constructor(said: Reason) {
    super(said);
    this.name = 'TargetFailed';
  }

  get code(): string {
    return this.said.code;
  }
}

/** Of 1,000,000 bytes, for people; rounded up. */
export const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** `detail`: in the words of the system, a server or a program. */
export const failed = (code: PlainFailure, at: string, detail = ''): TargetFailed =>
  new TargetFailed(targetFailures.say(code, { at, detail }));

const ofErrno: Readonly<Record<string, PlainFailure>> = {
  ENOENT: 'no_folder',
  ENOTDIR: 'no_folder',
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  EROFS: 'read_only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'target_file_too_large',
  EIO: 'gone',
  ENODEV: 'gone',
  ENXIO: 'gone',
  ESTALE: 'gone',
  ENOTCONN: 'gone',
  EHOSTDOWN: 'gone',
  ETIMEDOUT: 'timed_out',
};

/** Meaning of a failed system call on a path of a target. */
export function failureOf(error: unknown, path: string): TargetFailed {
  if (error instanceof TargetFailed) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const failure = ofErrno[code];
  return failure ? failed(failure, path, code) : failed('failed', path, message);
}

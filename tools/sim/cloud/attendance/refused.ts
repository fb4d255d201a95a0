import { type AttendanceCodeName, attendanceCodes } from '../../../../src/platform/attendance.ts';

/** A call that the cloud refuses: a code of SPEC 7.3, or from 201 on of its own. */
export class Refused extends Error {
  readonly code: number;

  constructor(code: AttendanceCodeName, why: string) {
    super(why);
    this.code = attendanceCodes[code];
  }
}

import { type AttendanceCodeName, attendanceCodes } from '../../platform/attendance.ts';

/**
 * The body of every answer: HTTP 200, and a code of SPEC 7.3 (DESIGN 5: the own ones from 201 on).
 */
export interface Answer {
  readonly code: number;
  readonly msg: string;
  /** Absent where an operation returns only code and msg. */
  readonly data?: unknown;
}

const messages: Readonly<Record<AttendanceCodeName, string>> = {
  success: 'ok',
  wrong_key: 'wrong user key',
  key_missing: 'user key missing',
  wrong_signature: 'wrong request signature',
  signature_missing: 'request signature missing',
  timestamp_missing: 'request timestamp missing',
  bad_body: 'request body format wrong',
  wrong_module: 'App-Module wrong',
  organization_abnormal: 'organization abnormal',
  timeout: 'request timeout',
  too_many_calls: 'call count exceeded',
  ext_id_in_use: 'external id in use',
  department_has_employees: 'department has employees',
  unknown_id: 'unknown id',
};

/** Why a call is refused; thrown inside the API, which turns it into the response. */
export class CallRefused extends Error {
  readonly code: AttendanceCodeName;
  readonly retryAfterSeconds: number | null;

  constructor(code: AttendanceCodeName, detail: string, retryAfterSeconds: number | null = null) {
    super(detail);
    this.name = 'CallRefused';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const refusal = ({ code, message }: CallRefused): Answer => ({
  code: attendanceCodes[code],
  msg: message === '' ? messages[code] : `${messages[code]}: ${message}`,
});

export const answered = (data: unknown): Answer => ({ code: attendanceCodes.success, msg: messages.success, data });
export const done: Answer = answered(null);
export const doneWithoutData: Answer = { code: attendanceCodes.success, msg: messages.success };

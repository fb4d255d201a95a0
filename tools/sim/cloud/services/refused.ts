/** A call of the public services that the cloud refuses (SPEC 7.2). */
export class ServiceRefused extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, why: string, code = status) {
    super(why);
    this.status = status;
    this.code = code;
  }
}

/** The call is understood, and there is no such thing: HTTP 200 with a code. */
export const unknown = (why: string): ServiceRefused => new ServiceRefused(200, why, 404);
export const wrong = (why: string): ServiceRefused => new ServiceRefused(400, why);

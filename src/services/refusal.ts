/**
 * Body codes of the public services (SPEC 7.2: 0 is success; the others are the box's own, named
 * like the HTTP statuses they resemble).
 */
type ServiceCode = 400 | 401 | 404 | 409 | 413 | 429 | 503;

/**
 * Why a call is refused. Sent as HTTP 200 with the code, or with the code as the status where SPEC
 * 7.2 or HTTP says so.
 */
export class ServiceRefused extends Error {
  readonly code: ServiceCode;
  readonly status: 200 | 400 | 401 | 413 | 429 | 503;
  readonly retryAfterSeconds: number;
  constructor(
    code: ServiceCode,
    message: string,
    { status = 200, retryAfterSeconds = 0 }: { status?: ServiceRefused['status']; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Only the cloud can know, and it does not answer: HTTP 503. */
export const notReached = (what: string): ServiceRefused =>
  new ServiceRefused(
    503,
    `${what}: not known here, and the cloud cannot be reached now: ask again when the line is up`,
    { status: 503, retryAfterSeconds: 5 },
  );

/** The request cannot be understood: HTTP 400. */
export const badRequest = (message: string): ServiceRefused => new ServiceRefused(400, message, { status: 400 });

/** The box ended before it had answered; the message says what to do. */
export class BoxEnded extends Error {
  /** Of the connection, such as `ECONNRESET`; undefined: the answer ended early, but in order. */
  readonly code: string | undefined;

  constructor(cause?: unknown) {
    super(
      'the box ended before it had answered: when it runs again, look whether what you asked for was done, and try again if not',
      { cause },
    );
    this.name = 'BoxEnded';
    this.code = (cause as NodeJS.ErrnoException | undefined)?.code;
  }
}

const codes: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']);

/** `error`, or BoxEnded where it means that the other end of the socket is gone. */
export const boxEndedOr = (error: unknown): unknown =>
  codes.has((error as NodeJS.ErrnoException).code) ? new BoxEnded(error) : error;

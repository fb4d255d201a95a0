/** What a route takes of a body unless it says more, in bytes (CONTRACT 7). */
export const bodyBytesDefault = 64 * 1024;

export interface BodyBound {
  readonly bytesMax: number;
  /** What is wrong, as a word for the pages: the `title` of the admin API's answer. */
  readonly word: string;
}

const bounds = new WeakMap<object, BodyBound>();

/**
 * Says beside a route how large a body it takes, in bytes: `routes.post(path, takesBody(1 << 20,
 * handler))`. A route that says nothing takes 64 KiB. The listener answers 413 to what is larger
 * before the route is called, and counts what comes without a length.
 */
export function takesBody<Handler extends object>(bytesMax: number, handler: Handler, word = 'too_large'): Handler {
  bounds.set(handler, { bytesMax, word });
  return handler;
}

/** The bound that was declared for a handler; undefined: none. */
export const declaredBound = (handler: object): BodyBound | undefined => bounds.get(handler);

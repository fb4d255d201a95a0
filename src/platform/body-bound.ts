/** What a route takes of a body unless it says more (CONTRACT 7). */
export const bodyBytesDefault = 64 * 1024;

const bounds = new WeakMap<object, number>();

/**
 * Says beside a route how large a body it takes, in bytes: `routes.post(path, takesBody(1 << 20, handler))`. A route that says nothing takes
 * 64 KiB. The listener refuses what is larger before the route is called, and counts what comes without a length.
 */
export function takesBody<Handler extends object>(bytesMax: number, handler: Handler): Handler {
  bounds.set(handler, bytesMax);
  return handler;
}

/** The bound that was declared for a handler, in bytes; undefined: none. */
export const declaredBound = (handler: object): number | undefined => bounds.get(handler);

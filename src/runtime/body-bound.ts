/** The limit of a request body, in bytes, unless a route sets another (CONTRACT 7). */
export const bodyBytesDefault = 64 * 1024;

export interface BodyBound {
  readonly bytesMax: number;
  /** Name of the fault for the pages: the `title` of the admin API's answer. */
  readonly word: string;
  /** The route reads the Content-Encoding itself; elsewhere one is refused with 415. */
  readonly unpacks?: true;
}

const bounds = new WeakMap<object, BodyBound>();

/**
 * Sets the limit of a route's request body, in bytes: `routes.post(path, takesBody(1 << 20,
 * handler))`. The default is 64 KiB. The listener rejects a larger body with 413 before the route
 * is called, and counts bodies without a length. A smaller limit than the default is for the route
 * itself to keep (`readBody`).
 */
export function takesBody<Handler extends object>(
  bytesMax: number,
  handler: Handler,
  { word = 'too_large', ...more }: Partial<BodyBound> = {},
): Handler {
  bounds.set(handler, { ...more, bytesMax, word });
  return handler;
}

/** The bound that was declared for a handler; undefined: none. */
export const declaredBound = (handler: object): BodyBound | undefined => bounds.get(handler);

import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Serves a usual request of an exact path without a router: returns what answers it as soon as its
 * body is there; null: it is the router's, which answers whatever is unusual or wrong in it.
 */
export type Direct = (request: IncomingMessage, response: ServerResponse) => ((body: Buffer) => void) | null;

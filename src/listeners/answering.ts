import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { formatAddress } from '../runtime/address.ts';
import { plainAddress } from '../runtime/plain-address.ts';
import type { PacedResponse } from './answers.ts';
import { bounded } from './bodies.ts';
import type { BoundedRequest } from './bounded-request.ts';
import type { RequestQueue } from './request-queue.ts';
import type { Served } from './served.ts';

/**
 * Serves the requests of a listener in turns. Loads the adapter between Node's requests and web
 * requests with the first request: together with Node's fetch it would take a twentieth of the
 * start.
 */
export function answering(served: Served, queue: RequestQueue): RequestListener {
  let listener: RequestListener | undefined;
  let loading: Promise<RequestListener> | undefined;
  const load = async () => {
    const { getRequestListener } = await import('@hono/node-server');
    listener = getRequestListener(bounded(served)) as RequestListener;
    return listener;
  };
  const route: RequestListener = (request, response) => {
    if (listener) return listener(request, response);
    loading ??= load();
    void loading.then(loaded => loaded(request, response));
  };
  const serve: RequestListener = (request, response) => {
    const usual = request as BoundedRequest;
    const answer = usual.isUsual ? served.direct(request, response) : null;
    if (answer) usual.whenWhole(answer, () => route(request, response));
    else route(request, response);
  };
  return (request, response) => {
    (request as BoundedRequest).watch(served, response, queue);
    (response as PacedResponse).isStranger = queue.isStranger;
    request.headers.host ||= ownHost(request.socket);
    queue.take(request, response, serve);
  };
}

/**
 * Stands for the Host that a request of HTTP/1.0 need not have (RFC 9112, section 3.2); Node has
 * refused one of 1.1 without it.
 */
const ownHost = ({ localAddress, localPort }: Socket): string =>
  localAddress === undefined ? 'localhost' : formatAddress({ host: plainAddress(localAddress), port: localPort ?? 0 });

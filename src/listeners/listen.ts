import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { type Address, formatAddress, parseAddress } from '../runtime/address.ts';
import type { Clock } from '../runtime/clock.ts';
import { socketFile, socketPath } from '../runtime/socket-path.ts';
import { admitOnly, admitToHandshake, type HandshakeQueue } from './accept.ts';
import { BoundedRequest, bounded } from './bodies.ts';
import { BoxError, whyNotListening } from './box-error.ts';
import { type HandshakeFailed, watchHandshakes } from './handshakes.ts';
import type { Fetch, Served } from './served.ts';
import { endSlowRequests } from './slow-requests.ts';
import { refuseRenegotiation, tlsOptions } from './tls.ts';
import type { UnauthenticatedConnections } from './unauthenticated-connections.ts';

/** A listener that stands. `address` has the port that was picked. */
export interface Listener extends AsyncDisposable {
  readonly address: string;
  /** Shows a renewed certificate to whoever connects from now on. */
  renew(certificate: Certificate): void;
}

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const handshakeTimeoutMs = 10_000;

/** Of a listener for few. */
const fewMax = 64;

/**
 * Longer than a device waits between two pulls (SPEC 5.1: 30 to 60 s), so that its connection stays
 * open.
 */
const keepAliveMs = 100_000;

/**
 * Of a whole request: 500 MiB (SPEC 8) over a line of 1.2 Mbit/s. `endSlowRequests` ends what is
 * too slow long before.
 */
const requestTimeoutMs = 3600_000;

const lastAnswersMs = 2000;

/** Who may connect to the listeners of one kind, and how many. */
export interface Intake {
  readonly unauthenticated: UnauthenticatedConnections;
  /** `maxConnections`. */
  readonly connectionsMax: number;
  /** A connection over that bound, which was closed. */
  readonly full: (address: string) => void;
}

/** What the listeners that speak TLS have in common. */
export interface TlsSide {
  readonly certificate: Certificate;
  readonly legacySuites: boolean;
  readonly queue: HandshakeQueue;
}

/** A connection of a device over MQTT. */
interface MqttPeer {
  readonly address: string;
  readonly tls: boolean;
  /** Called when the device has logged in. */
  readonly loggedIn: () => void;
}

type HandleMqtt = (stream: Socket, from: MqttPeer) => void;

const httpOptions = { noDelay: true, IncomingMessage: BoundedRequest } as const;

/**
 * Each connection is handed over as soon as its TLS handshake is done; what fails before is told to
 * `failed`.
 */
export async function listenMqtts(
  name: string,
  address: Address,
  tls: TlsSide,
  intake: Intake,
  handle: HandleMqtt,
  failed: HandshakeFailed,
): Promise<Listener> {
  const options = tlsOptions(tls.legacySuites);
  const server = createTlsServer(
    { ...tls.certificate, ...options, handshakeTimeout: handshakeTimeoutMs, noDelay: true },
    (stream: TLSSocket) => handle(stream, peerOf(stream, true, intake)),
  );
  refuseRenegotiation(server);
  watchHandshakes(server, failed);
  admitToHandshake(server, intake.unauthenticated, tls.queue, handshakeTimeoutMs, failed);
  return listening(name, server, address, intake, renewed => server.setSecureContext({ ...renewed, ...options }));
}

export async function listenMqtt(
  name: string,
  address: Address,
  intake: Intake,
  handle: HandleMqtt,
): Promise<Listener> {
  const server = createTcpServer({ noDelay: true }, stream => handle(stream, peerOf(stream, false, intake)));
  admitOnly(server, intake.unauthenticated);
  return listening(name, server, address, intake);
}

const peerOf = (stream: Socket, tls: boolean, { unauthenticated }: Intake): MqttPeer => ({
  address: stream.remoteAddress ?? '',
  tls,
  loggedIn: () => unauthenticated.loggedIn(stream, 'device'),
});

/** What a listener for HTTP needs beside what it serves. */
export interface HttpSide {
  readonly served: Served;
  readonly clock: Clock;
  /** A request that was ended because its client kept the box waiting. */
  readonly slow: (address: string, why: string) => void;
}

export async function listenHttps(
  name: string,
  address: Address,
  tls: TlsSide,
  intake: Intake,
  http: HttpSide,
  failed: HandshakeFailed,
): Promise<Listener> {
  const options = tlsOptions(tls.legacySuites);
  const server = createHttpsServer(
    { ...tls.certificate, ...options, ...httpOptions, handshakeTimeout: handshakeTimeoutMs },
    answering(http.served),
  );
  refuseRenegotiation(server);
  watchHandshakes(server, failed);
  admitToHandshake(server, intake.unauthenticated, tls.queue, handshakeTimeoutMs, failed);
  const renew = (renewed: Certificate) => server.setSecureContext({ ...renewed, ...options });
  return httpListener(name, server, address, intake, http, renew);
}

export async function listenHttp(name: string, address: Address, intake: Intake, http: HttpSide): Promise<Listener> {
  const server = createHttpServer(httpOptions, answering(http.served));
  admitOnly(server, intake.unauthenticated);
  return httpListener(name, server, address, intake, http);
}

/**
 * For programs that collect figures, and for phones that set the box up: whoever it is, no more
 * than 64 connections at once.
 */
export async function listenFew(name: string, address: Address, http: HttpSide): Promise<Listener> {
  const server = createHttpServer(httpOptions, answering(http.served));
  return httpListener(name, server, address, { connectionsMax: fewMax }, http);
}

async function httpListener(
  name: string,
  server: HttpServer,
  address: Address,
  intake: Pick<Intake, 'connectionsMax'> & Partial<Intake>,
  { clock, slow }: HttpSide,
  renew?: (certificate: Certificate) => void,
): Promise<Listener> {
  timed(server);
  const watch = endSlowRequests(
    server,
    clock,
    socket => intake.unauthenticated?.isUnauthenticated(socket) ?? false,
    slow,
  );
  const listener = await listening(name, server, address, intake, renew);
  return {
    ...listener,
    [Symbol.asyncDispose]: async () => {
      watch[Symbol.dispose]();
      await endHttp(server, clock);
    },
  };
}

/**
 * The Unix socket in the data directory, which the caller owns: one that is left over is removed.
 * Mode 0660.
 */
export async function listenSocket(dataDir: string, served: Served, clock: Clock): Promise<AsyncDisposable> {
  const file = socketFile(dataDir);
  rmSync(file, { force: true });
  const server = createHttpServer(httpOptions, answering(served));
  using socket = socketPath(dataDir);
  const before = process.umask(0o117);
  try {
    server.listen(socket.path);
    await once(server, 'listening');
  } catch (error) {
    throw new BoxError(`${file}: the socket for the commands cannot be made: ${(error as Error).message}`);
  } finally {
    process.umask(before);
  }
  chmodSync(file, 0o660);
  return {
    async [Symbol.asyncDispose]() {
      await endHttp(server, clock);
      rmSync(file, { force: true });
    },
  };
}

/**
 * What stands between Node's requests and those of the web is loaded with the first request: with
 * Node's fetch behind it, it is a twentieth of a start.
 */
function answering(served: Served): RequestListener {
  let listener: RequestListener | undefined;
  let loading: Promise<RequestListener> | undefined;
  const load = async () => {
    const { getRequestListener } = await import('@hono/node-server');
    listener = getRequestListener(bounded(served)) as RequestListener;
    return listener;
  };
  return (request, response) => {
    (request as BoundedRequest).watch(served);
    if (listener) return listener(request, response);
    loading ??= load();
    void loading.then(loaded => loaded(request, response));
  };
}

function timed(server: HttpServer): void {
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = 0;
  server.requestTimeout = requestTimeoutMs;
  server.maxRequestsPerSocket = 0;
}

async function listening(
  name: string,
  server: Server,
  { host, port }: Address,
  { connectionsMax, full }: Pick<Intake, 'connectionsMax'> & Partial<Intake>,
  renew: (certificate: Certificate) => void = () => {},
): Promise<Listener> {
  server.maxConnections = connectionsMax;
  server.on('drop', (from: { remoteAddress?: string } | undefined) => full?.(from?.remoteAddress ?? ''));
  server.listen({ host, port, backlog: 1024 });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new BoxError(whyNotListening(name, formatAddress({ host, port }), error as NodeJS.ErrnoException));
  }
  const bound = server.address() as AddressInfo;
  return {
    address: formatAddress({ host, port: bound.port }),
    renew,
    // Open connections belong to their gateway, which ends them after the last commit.
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

/** Stops accepting, lets what is being answered end, then closes what is left. */
async function endHttp(server: HttpServer, clock: Clock): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, clock.sleep(lastAnswersMs)]);
  server.closeAllConnections();
}

/** Sends callers of the plain port to the same path over https. */
export function redirectTo(https: string | null): Fetch {
  const port = https === null ? null : parseAddress(https)?.port;
  return request => {
    const url = new URL(request.url);
    if (port === null || port === undefined)
      return new Response('this box serves https alone, and it is off\n', { status: 404 });
    url.protocol = 'https:';
    url.port = port === 443 ? '' : String(port);
    return new Response(null, { status: 308, headers: { location: url.href } });
  };
}

import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, type BlockList, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { type Address, formatAddress } from '../runtime/address.ts';
import type { Clock } from '../runtime/clock.ts';
import { plainAddress } from '../runtime/plain-address.ts';
import { socketFile, socketPath } from '../runtime/socket-path.ts';
import { admitOnly, admitToHandshake } from './accept.ts';
import { answering } from './answering.ts';
import { endUnread, PacedResponse } from './answers.ts';
import { knowAddresses } from './behind-proxies.ts';
import { BoundedRequest } from './bounded-request.ts';
import { BoxError, whyNotListening } from './box-error.ts';
import { type HandshakeFailed, watchHandshakes } from './handshakes.ts';
import { listenWith } from './listening-sockets.ts';
import { requestQueue } from './request-queue.ts';
import type { Served } from './served.ts';
import { endSlowRequests } from './slow-requests.ts';
import { type Certificate, refuseRenegotiation, serveLegacyHost, type TlsSide, tlsOptions } from './tls.ts';
import type { UnauthenticatedConnections } from './unauthenticated-connections.ts';

/** An open listener. `address` holds the port that the system chose. */
export interface Listener extends AsyncDisposable {
  readonly address: string;
  /** Uses a renewed certificate, and the key of tickets as it is now, for new connections. */
  renew(certificate: Certificate): void;
}

const handshakeTimeoutMs = 10_000;
/** Most clients have given up after a minute. */
const waits = { firstRecordMs: handshakeTimeoutMs, waitingMs: 60_000 } as const;

/** All devices of a site may come to it at the same moment. */
const mqttsSockets = 8;

/** Connections of a listener that only a few clients use. */
const fewMax = 64;

/**
 * Longer than the time between two pulls (SPEC 5.1: 30 to 60 s), so that a device can keep its
 * connection.
 */
const keepAliveMs = 100_000;

/**
 * Time-out of a whole request: 500 MiB (SPEC 8) at 1.2 Mbit/s. `endSlowRequests` ends slower
 * requests long before.
 */
const requestTimeoutMs = 3600_000;

const lastAnswersMs = 2000;

/** How many clients may connect to the MQTT listeners, or to the HTTP listeners. */
export interface Intake {
  readonly unauthenticated: UnauthenticatedConnections;
  /** Passed to Node's `maxConnections`. */
  readonly connectionsMax: number;
  /** See `knowAddresses`; absent: there are none. */
  readonly proxies?: BlockList | undefined;
  /** Called when a connection over that bound was closed. */
  readonly full: (address: string) => void;
}

/** A device's MQTT connection. */
interface MqttPeer {
  readonly address: string;
  readonly tls: boolean;
  /** Call it when the device has logged in. */
  readonly loggedIn: () => void;
}

type HandleMqtt = (stream: Socket, from: MqttPeer) => void;

const strangersOf =
  ({ unauthenticated }: Intake) =>
  (socket: Socket) =>
    unauthenticated.isUnauthenticated(socket);

const httpOptions = { noDelay: true, IncomingMessage: BoundedRequest, ServerResponse: PacedResponse } as const;

/** A client that offers `http/1.0` alone is refused in its handshake where only 1.1 is named. */
const alpn = ['http/1.1', 'http/1.0'];

/**
 * Opens the MQTT listener with TLS. Hands each connection over as soon as its handshake is done,
 * and reports failed handshakes to `failed`. Rejects with BoxError if the address cannot be used.
 */
export async function listenMqtts(
  name: string,
  address: Address,
  tls: TlsSide,
  intake: Intake,
  handle: HandleMqtt,
  failed: HandshakeFailed,
): Promise<Listener> {
  const server = createTlsServer(
    {
      ...tls.certificate,
      ...tlsOptions(tls),
      handshakeTimeout: handshakeTimeoutMs,
      noDelay: true,
    },
    (stream: TLSSocket) => handle(stream, peerOf(stream, true, intake)),
  );
  const serveLegacy = serveLegacyHost(server, tls);
  refuseRenegotiation(server);
  watchHandshakes(server, failed);
  admitToHandshake(server, intake.unauthenticated, tls.queue, waits, failed);
  const renew = (renewed: Certificate) => {
    server.setSecureContext({ ...renewed, ...tlsOptions(tls) });
    serveLegacy();
  };
  return listening(name, server, address, intake, renew, mqttsSockets);
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

/** Options of an HTTP listener beside its handlers. */
export interface HttpSide {
  readonly served: Served;
  readonly clock: Clock;
  /** Called when a request was ended because its client kept the box waiting. */
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
  const server = createHttpsServer(
    {
      ...tls.certificate,
      ...tlsOptions(tls),
      ...httpOptions,
      ALPNProtocols: alpn,
      handshakeTimeout: handshakeTimeoutMs,
    },
    answering(http.served, requestQueue(http, strangersOf(intake))),
  );
  const serveLegacy = serveLegacyHost(server, tls);
  refuseRenegotiation(server);
  watchHandshakes(server, failed);
  admitToHandshake(server, intake.unauthenticated, tls.queue, waits, failed);
  const renew = (renewed: Certificate) => {
    server.setSecureContext({ ...renewed, ...tlsOptions(tls) });
    serveLegacy();
  };
  return httpListener(name, server, address, intake, http, renew);
}

export async function listenHttp(name: string, address: Address, intake: Intake, http: HttpSide): Promise<Listener> {
  const server = createHttpServer(httpOptions, answering(http.served, requestQueue(http, strangersOf(intake))));
  admitOnly(server, intake.unauthenticated);
  return httpListener(name, server, address, intake, http);
}

/**
 * Opens a plain listener with at most 64 connections: for metrics scrapers, and for phones that set
 * up the box.
 */
export async function listenFew(name: string, address: Address, http: HttpSide): Promise<Listener> {
  const server = createHttpServer(
    httpOptions,
    answering(
      http.served,
      requestQueue(http, () => true),
    ),
  );
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
  const unread = endUnread(server, clock, slow);
  const listener = await listening(name, server, address, intake, renew);
  return {
    ...listener,
    [Symbol.asyncDispose]: async () => {
      watch[Symbol.dispose]();
      unread[Symbol.dispose]();
      await endHttp(server, clock);
    },
  };
}

/**
 * Opens the Unix socket in the data directory, mode 0660. The caller owns the directory, so a
 * socket that was left behind is removed.
 */
export async function listenSocket(dataDir: string, served: Served, clock: Clock): Promise<AsyncDisposable> {
  const file = socketFile(dataDir);
  rmSync(file, { force: true });
  const server = createHttpServer(
    httpOptions,
    answering(
      served,
      requestQueue({ clock, slow: () => {} }, () => false),
    ),
  );
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
  { connectionsMax, full, proxies }: Pick<Intake, 'connectionsMax'> & Partial<Intake>,
  renew: (certificate: Certificate) => void = () => {},
  sockets = 1,
): Promise<Listener> {
  knowAddresses(server, proxies);
  server.maxConnections = connectionsMax;
  server.on('drop', (from: { remoteAddress?: string } | undefined) => full?.(plainAddress(from?.remoteAddress ?? '')));
  const others = await listenWith(server, sockets, { host, port }).catch(error => {
    throw new BoxError(whyNotListening(name, formatAddress({ host, port }), error as NodeJS.ErrnoException));
  });
  const bound = server.address() as AddressInfo;
  return {
    address: formatAddress({ host, port: bound.port }),
    renew,
    // Open connections belong to their gateway, which ends them after the last commit.
    async [Symbol.asyncDispose]() {
      others[Symbol.dispose]();
      server.close();
    },
  };
}

/** Stops accepting, waits for running requests, then closes the remaining connections. */
async function endHttp(server: HttpServer, clock: Clock): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, clock.sleep(lastAnswersMs)]);
  server.closeAllConnections();
}

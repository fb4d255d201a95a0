import type { IClientOptions } from 'mqtt';
import type { Clock } from '../runtime/clock.ts';
import { type GivenReason, type Reason, SaidError, whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import { portalOfBytes, portalOfHandshake, shownCertificate } from './captive-portal.ts';
import { internalSettings, onFirstBytes, onMessage, postponePing, socketOf } from './mqtt-internals.ts';
import { Publisher } from './publisher.ts';
import type { Connect, Connected } from './transport.ts';
import type { Trust } from './trust.ts';

const connectTimeoutMs = 10_000;
const keepAliveSeconds = 60;
const windowRecords = 64;
const heardEveryMs = 1000;

/**
 * CONNACK codes (MQTT 3.1.1): 1 version, 2 identifier, 3 unavailable, 4 bad user name or password,
 * 5 not authorized.
 */
const connackReasons: Readonly<Record<number, Reason>> = {
  1: uplinkReasons.say('cloud_other_mqtt'),
  2: uplinkReasons.say('cloud_refuses_id'),
  4: uplinkReasons.say('cloud_refuses_key'),
  5: uplinkReasons.say('cloud_does_not_authorize'),
};

/** A cloud that closes a connection on which something is still to be read resets it. */
const resetCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Sessions over MQTT 3.1.1 (SPEC 5.1). Records go out with QoS 1; a PUBACK confirms. The library
 * logs in, keeps the connection alive and takes what comes down; its publishing, its store and its
 * reconnecting are not used: the journal is the store, and what was in flight when a connection
 * breaks is read from it again.
 */
export function mqttConnector(
  url: string,
  options: { readonly trust: Trust; readonly clock: Clock; readonly window?: number },
): Connect {
  return async (credentials, events, signal) => {
    // A box that stands alone starts without it.
    const { default: mqtt } = await import('mqtt');
    if (signal.aborted) return { kind: 'failed', why: 'stopped' };
    return new Promise<Connected>(resolve => {
      // In parts, not as a URL: the library's way of reading one is deprecated in Node, which says
      // so on standard error.
      const { protocol, hostname, port } = new URL(url);
      const secure = protocol === 'mqtts:';
      const settings: IClientOptions = {
        protocol: secure ? 'mqtts' : 'mqtt',
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port === '' ? (secure ? 8883 : 1883) : Number(port),
        clientId: credentials.clientId,
        username: credentials.userName,
        password: credentials.password,
        protocolVersion: 4,
        clean: true,
        keepalive: keepAliveSeconds,
        reconnectPeriod: 0,
        connectTimeout: connectTimeoutMs,
        resubscribe: false,
        queueQoSZero: false,
        ...internalSettings(options.trust.context),
      };
      const client = mqtt.connect(settings);
      const window = options.window ?? windowRecords;
      let heardAt = 0;
      // Confirmations prove that the line is up, however long a ping would wait behind records. The
      // library makes a timer for each, so not every few PUBACKs.
      const onHeard = () => {
        const now = options.clock.monotonic();
        if (now - heardAt < heardEveryMs) return;
        heardAt = now;
        postponePing(client);
      };
      // From the first byte: the filter has to know where packets begin.
      const later = (ms: number, act: () => void) => void options.clock.sleep(ms).then(act);
      const publisher = new Publisher(socketOf(client), { window, onHeard, later });
      const certificate = shownCertificate(socketOf(client));
      onFirstBytes(socketOf(client), first => {
        const portal = portalOfBytes(first, hostname);
        if (portal !== null) decide({ kind: 'failed', ...whyOf(portal) });
      });
      let outcome: 'open' | 'decided' | 'closed' = 'open';
      let why: GivenReason | null = null;
      let isReset = false;
      const decide = (connected: Connected) => {
        if (outcome !== 'open') return;
        signal.removeEventListener('abort', stopped);
        outcome = connected.kind === 'accepted' ? 'decided' : 'closed';
        if (connected.kind !== 'accepted') client.end(true);
        resolve(connected);
      };
      const stopped = () => decide({ kind: 'failed', why: 'stopped' });
      signal.addEventListener('abort', stopped);
      client.on('error', error => {
        why = portalOfHandshake(error, { hostname, certificate: certificate() }) ?? reasonOf(error);
        isReset = resetCodes.has((error as NodeJS.ErrnoException).code ?? '');
        const { code } = error as { code?: number | string };
        const refusal = typeof code === 'number' ? connackReasons[code] : undefined;
        decide(refusal ? { kind: 'refused', ...whyOf(refusal) } : { kind: 'failed', ...whyOf(why) });
      });
      client.on('close', () => {
        decide({ kind: 'failed', ...whyOf(why ?? uplinkReasons.say('cloud_closed_or_silent')) });
        if (outcome !== 'decided') return;
        outcome = 'closed';
        client.end(true);
        events.lost(why ?? uplinkReasons.say('cloud_closed'), why === null || isReset);
      });
      // The library acknowledges a QoS 1 message when this calls back: it is in the inbox by then.
      onMessage(client, payload => events.message(payload));
      client.on('connect', () => {
        client.subscribe(`$client/${credentials.clientId}`, { qos: 0 });
        decide({
          kind: 'accepted',
          transport: {
            via: 'mqtt',
            window,
            silentMs: 20_000,
            send: sending => publisher.send(sending),
            close() {
              outcome = 'closed';
              client.end(true);
            },
          },
        });
      });
    });
  };
}

/** For a person; the library's codes say little. */
export function reasonOf(error: Error): GivenReason {
  if (error instanceof SaidError) return error.said;
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
      return uplinkReasons.say('cloud_refuses_connection');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return uplinkReasons.say('cloud_not_resolved');
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return uplinkReasons.say('cloud_not_reached');
    case 'ECONNRESET':
      return uplinkReasons.say('connection_reset');
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return uplinkReasons.say('certificate_not_valid_now');
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return uplinkReasons.say('certificate_not_trusted');
    default:
      return { reason: message || String(code ?? 'unknown reason') };
  }
}

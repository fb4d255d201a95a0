import type { Clock } from '../runtime/clock.ts';
import { whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import { namesPortal } from './captive-portal.ts';
import { httpConnector } from './http-transport.ts';
import { mqttConnector } from './mqtt-transport.ts';
import type { UpstreamConfig } from './port.ts';
import type { Connect, Connected } from './transport.ts';
import type { Trust } from './trust.ts';

/** How many records may be in flight on a session over MQTT: of one device, of all. */
const windowRecords = { ofOne: 64, ofAll: 1000 } as const;

/**
 * MQTT first; HTTP where MQTT does not get through. A refusal is an answer: the other transport
 * would bring the same.
 */
export function connectOrFallBack(config: UpstreamConfig, trust: Trust, clock: Clock): Connect {
  const window = config.mode === 'gateway' ? windowRecords.ofAll : windowRecords.ofOne;
  const transports: Connect[] = [];
  if (config.deviceMqtt) transports.push(mqttConnector(config.deviceMqtt, { trust, clock, window }));
  if (config.deviceHttp) transports.push(httpConnector(config.deviceHttp, { trust, clock }));
  return async (credentials, events, signal) => {
    let first: Extract<Connected, { kind: 'failed' }> | null = null;
    for (const connect of transports) {
      const connected = await connect(credentials, events, signal);
      if (connected.kind !== 'failed') return connected;
      // HTTP meets the login page of a network that lets no MQTT out.
      if (first === null || (namesPortal(connected) && !namesPortal(first))) first = connected;
    }
    return first ?? { kind: 'failed', ...whyOf(uplinkReasons.say('no_cloud_address')) };
  };
}

import type { Clock } from '../platform/clock.ts';
import { httpConnector } from './http-transport.ts';
import { mqttConnector } from './mqtt-transport.ts';
import type { UpstreamConfig } from './port.ts';
import type { Connect, Connected } from './transport.ts';
import type { Trust } from './trust.ts';

/** MQTT first; HTTP where MQTT does not get through. A refusal is an answer: the other way would say the same. */
export function firstThatWorks(config: UpstreamConfig, trust: Trust, clock: Clock, window: number): Connect {
  const ways: Connect[] = [];
  if (config.deviceMqtt) ways.push(mqttConnector(config.deviceMqtt, { trust, clock, window }));
  if (config.deviceHttp) ways.push(httpConnector(config.deviceHttp, { trust, clock }));
  return async (credentials, events, signal) => {
    let first: Connected | null = null;
    for (const way of ways) {
      const connected = await way(credentials, events, signal);
      if (connected.kind !== 'failed') return connected;
      first ??= connected;
    }
    return first ?? { kind: 'failed', why: 'neither upstream.device_mqtt nor upstream.device_http is set' };
  };
}

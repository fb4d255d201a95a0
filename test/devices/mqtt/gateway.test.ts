import { connectMqtt } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { gatewayCases } from '../gateway.cases.ts';

gatewayCases('MQTT', {
  async login(gateway, deviceId, accessKey) {
    const client = await connectMqtt(gateway, deviceId, accessKey);
    if (typeof client === 'number') return null;
    const heard: Record<string, unknown>[] = [];
    client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
    await client.subscribeAsync(`$client/${deviceId}`);
    const closed = new Promise<boolean>(resolve => client.once('close', () => resolve(false)));
    const publish = (topic: string, payload: string | Uint8Array) => {
      const acknowledged = client.publishAsync(topic, payload as string, { qos: 1 }).then(
        () => true,
        () => false,
      );
      return Promise.race([acknowledged, closed]);
    };
    return {
      send: payload => publish('device', payload),
      log: text => publish(`log/FT1/${deviceId.split('_')[1]}`, text),
      async hear(count) {
        await until('it has heard so many', async () => heard.length >= count);
        return heard.splice(0);
      },
      async [Symbol.asyncDispose]() {
        await client.endAsync(true);
        await closed;
      },
    };
  },
});

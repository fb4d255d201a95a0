import { ask, connectHttp } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { gatewayCases } from '../gateway.cases.ts';

gatewayCases('HTTP', {
  async login(gateway, deviceId, accessKey) {
    const connected = await connectHttp(gateway, deviceId, accessKey);
    if (connected.status !== 200) return null;
    const headers = { authorization: String(connected.headers.authorization) };
    const post = async (path: string, body: string | Uint8Array) => {
      const answer = await ask(`${gateway.httpUrl}${path}`, { headers, body });
      return answer.status === 200;
    };
    return {
      send: payload => post(`/api/push/${deviceId}`, payload),
      log: text => post(`/api/v2.0/log/FT1/${deviceId.split('_')[1]}`, text),
      async hear(count) {
        const heard: Record<string, unknown>[] = [];
        await until('it has pulled so many', async () => {
          const { json } = await ask(`${gateway.httpUrl}/api/pull/${deviceId}?batchSize=10`, { headers });
          heard.push(...((json.data ?? []) as Record<string, unknown>[]));
          return heard.length >= count;
        });
        return heard;
      },
      async [Symbol.asyncDispose]() {
        await ask(`${gateway.httpUrl}/api/disconnect/${deviceId}`, { headers });
      },
    };
  },
});

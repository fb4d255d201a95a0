import type { SimCloud } from '../../tools/sim/index.ts';
import { productKey } from './site.ts';
import { credentials } from './terminal.ts';

/** A terminal that reports to the simulated cloud over HTTP. */
export async function terminalOver(cloud: SimCloud, deviceId = 'FACE-T1_A0001') {
  const { clientId, username: userName, password } = credentials({ deviceId, key: productKey });
  const url = cloud.urls.deviceHttp!;
  const login = await fetch(`${url}/api/connect/${clientId}`, {
    method: 'POST',
    body: JSON.stringify({ clientId, userName, password, keepAliveTime: 60 }),
  });
  const authorization = login.headers.get('authorization')!;
  let count = 0;
  return {
    /** Rejects unless it is accepted. */
    async report(action: number, data: object, mid = `m${++count}`): Promise<void> {
      const answer = await fetch(`${url}/api/push/${clientId}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ mid, from: deviceId, to: 'system', time: 0, action, data }),
      });
      const { code, msg } = (await answer.json()) as { code: number; msg: string };
      if (code !== 0) throw new Error(`${code}: ${msg}`);
    },
  };
}

import { Agent } from 'node:https';
import { signed } from './attendance.ts';
import { call } from './terminal.ts';

const path = '/v2.0/cloudappapi';

export interface WalkedPages {
  /** The `data` of each page as it was answered: `next_id` and the records. */
  readonly pages: readonly string[];
  /** From the request to the last byte, for each full page. */
  readonly ms: readonly number[];
}

/** Takes all check-ins as an integrator does: page by page over a kept connection, by `next_id`. */
export async function walkedPages(
  base: string,
  ca: string,
  { app_key, app_secret }: { app_key: string; app_secret: string },
  pageSize = 500,
): Promise<WalkedPages> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  const [pages, ms]: [string[], number[]] = [[], []];
  try {
    for (let place = 0; ; ) {
      const begun = performance.now();
      const { body } = await call(`${base}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json; charset=UTF-8',
          ...signed(path, app_key, app_secret, String(Date.now())),
          'Api-Module': 'CHECKIN',
          'Api-Cmd': 'checkin_query',
        },
        body: JSON.stringify({ next_id: place, page_size: pageSize }),
        agent,
      });
      const took = performance.now() - begun;
      const { code, msg, data } = JSON.parse(body) as {
        code: number;
        msg: string;
        data: { next_id: number; data: unknown[] };
      };
      if (code !== 0) throw new Error(`checkin_query: ${code} ${msg}`);
      if (data.data.length === 0) return { pages, ms };
      pages.push(JSON.stringify(data));
      if (data.data.length === pageSize) ms.push(took);
      place = data.next_id;
    }
  } finally {
    agent.destroy();
  }
}

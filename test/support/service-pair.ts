import type { SiteData } from '../../src/store/index.ts';
import { HandClock, seededRandom } from './clock.ts';
import { aServiceBox, kiosk, portal, type ServiceBox } from './services.ts';

export interface ServicePair extends AsyncDisposable {
  readonly cloud: ServiceBox;
  readonly box: ServiceBox;
  readonly clock: HandClock;
  /** `loseAnswers`: the cloud carries out the call, and its answer is lost. */
  readonly line: { isUp: boolean; loseAnswers: boolean; readonly asked: string[] };
  /** Lets time pass until `isSo` is true. */
  eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>;
}

/**
 * A cloud (the public services of a box that stands alone), and a box that uses it, over a line
 * that can be cut.
 */
export async function aServicePair(change: { site?: SiteData; atCloud?: SiteData } = {}): Promise<ServicePair> {
  await using parts = new AsyncDisposableStack();
  const clock = new HandClock();
  const cloud = parts.use(await aServiceBox({ clock, site: { apps: [portal, kiosk], ...change.atCloud } }));
  const line = { isUp: true, loseAnswers: false, asked: [] as string[] };
  const box = parts.use(
    await aServiceBox({
      clock,
      site: change.site ?? {},
      options: {
        random: seededRandom(7),
        cloud: {
          appId: kiosk.app_id,
          appKey: kiosk.app_key,
          async send(path, { method, headers, body, signal }) {
            if (!line.isUp) throw new Error('connect ECONNREFUSED');
            line.asked.push(`${method} ${path}`);
            const answer = await fetch(`${cloud.url}${path}`, {
              method,
              headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Length')),
              signal,
              ...(body === undefined
                ? {}
                : { body: typeof body === 'string' ? body : (body.stream as never), duplex: 'half' }),
            } as RequestInit);
            const text = await answer.text();
            if (line.loseAnswers) throw new Error('read ECONNRESET');
            return { status: answer.status, body: text };
          },
        },
        async download(url) {
          if (!line.isUp) throw new Error('connect ECONNREFUSED');
          return new Uint8Array(await (await fetch(url.replace('https:', 'http:'))).arrayBuffer());
        },
      },
    }),
  );
  const owned = parts.move();
  return {
    cloud,
    box,
    clock,
    line,
    async eventually(what, isSo) {
      for (let turn = 0; turn < 3000; turn++) {
        if (await isSo()) return;
        await clock.advance(500);
        await new Promise(resolve => setTimeout(resolve, 1));
      }
      throw new Error(`${what}: not in 25 minutes of its clock`);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

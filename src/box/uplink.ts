import type { LineReport, OutboxReport } from '../admin/index.ts';
import { type Config, deviceAddresses, hasLine } from '../config/index.ts';
import { httpCaller, type Trust, type Uplink, type Upstream, type UpstreamConfig } from '../upstream/index.ts';
import { whyIn } from '../words/sentences.ts';

type UpstreamStatus = Awaited<ReturnType<Upstream['status']>>;

/** The uplink as `status --json` shows it; CONTRACT 7 calls it `line`. */
export const lineReport = ({ uplink, outbox }: UpstreamStatus): { line: LineReport; outbox: OutboxReport } => ({
  line: { state: uplink.state, since: uplink.since, ...whyIn(uplink), next_try_at: uplink.nextTryAt },
  outbox: {
    waiting: outbox.waiting,
    oldest_at: outbox.oldestAt,
    parked: outbox.parked,
    per_second: outbox.perSecond,
    catch_up_s: outbox.catchUpSeconds,
  },
});

export const deviceLineReport = (uplink: Uplink | null): LineReport | null =>
  uplink && { state: uplink.state, since: uplink.since, ...whyIn(uplink), next_try_at: uplink.nextTryAt };

/**
 * The uplink's options; null: the config has no uplink for devices, even if other cloud services
 * are set.
 */
export function upstreamConfig(config: Config): UpstreamConfig | null {
  const { upstream } = config;
  if (!upstream || !hasLine(config)) return null;
  return { mode: upstream.mode, ...deviceAddresses(upstream) } satisfies Record<keyof UpstreamConfig, unknown>;
}

/**
 * The cloud's attendance API as the authority of the organization; null: the box is the authority.
 */
export function attendanceCloud({ upstream }: Config, trust: Trust, parts: AsyncDisposableStack) {
  if (!upstream?.attendance) return null;
  const { url, app_key: appKey, app_secret: appSecret, mirror_minutes } = upstream.attendance;
  const caller = parts.adopt(httpCaller(url, { trust }), one => one.close());
  return {
    post: (path: string, headers: Record<string, string>, body: string, signal: AbortSignal) =>
      caller.call(path, { method: 'POST', headers, body, signal }),
    address: new URL(url).host,
    appKey,
    appSecret,
    everyMs: mirror_minutes * 60_000,
  };
}

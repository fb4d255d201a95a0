import { type Config, readableUpstreams } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import type { Certificates } from '../operations/index.ts';
import type { KnownTime } from '../runtime/known-time.ts';
import { shortTime } from '../runtime/short-time.ts';
import { momentText } from '../runtime/wall-time.ts';
import type { FlushTime } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import type { UsedTwice } from '../words/machine-findings.ts';
import type { GivenReason, Reason } from '../words/sentences.ts';
import { boxWarnings } from '../words/warnings.ts';

const { say } = boxWarnings;

/** The warnings that `gatehouse status` shows. */
export const warningsOf = (
  config: Config,
  devices: Devices,
  upstream: Pick<Upstream, 'takenOver'>,
  { notTaken }: Pick<Certificates, 'notTaken'>,
  { doubt }: Pick<KnownTime, 'doubt'>,
  flush: FlushTime | null,
): GivenReason[] => [
  ...configWarnings(config),
  ...(flush?.isTooFast ? [say('flush_too_fast', { ms: shortTime(flush.ms) })] : []),
  ...(doubt === null ? [] : [say('time_unknown', { doubt })]),
  ...(notTaken === null ? [] : [say('certificate_not_taken', notTaken)]),
  ...newDeviceWarnings(devices, config.site.timezone),
  ...devices.usedTwice().map(one => say('device_used_twice', usedTwiceOf(one))),
  ...upstream.takenOver(),
];

export function configWarnings({ tls, upstream }: Config): Reason[] {
  const keys = upstream ? readableUpstreams(upstream).map(({ path }) => path.join('.')) : [];
  return [
    ...(tls?.legacy_suites === 'on' ? [say('legacy_suites')] : []),
    ...(keys.length === 0 ? [] : [say('not_encrypted', { keys: keys.join(', ') })]),
  ];
}

/** Values of the sentence about it. */
export const usedTwiceOf = ({ deviceId, addresses }: ReturnType<Devices['usedTwice']>[number]): UsedTwice => ({
  device: deviceId,
  addresses: addresses.join(', '),
});

const newDeviceWarnings = (devices: Devices, timeZone: string): Reason[] =>
  devices
    .newDevices()
    .map(({ productId: product, refused, openUntil }) =>
      openUntil === null
        ? say('new_devices_refused', { product, refused })
        : say('new_devices_open', { product, until: momentText(openUntil, timeZone) }),
    );

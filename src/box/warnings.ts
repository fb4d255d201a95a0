import { type Config, readableUpstreams } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import { legacySuitesWarning } from '../listeners/index.ts';
import type { Certificates } from '../operations/index.ts';
import { explainRefusal } from '../platform/refusals.ts';
import type { Upstream } from '../upstream/index.ts';

/** The warnings that `gatehouse status` and the pages show, in words. */
export const warningsOf = (
  config: Config,
  devices: Devices,
  upstream: Pick<Upstream, 'takenOver'>,
  { notTaken }: Pick<Certificates, 'notTaken'>,
): string[] => [
  ...configWarnings(config),
  ...(notTaken === null
    ? []
    : [
        `${notTaken}: the certificate before stays in use; put a certificate and its key that belong together in place, and they are taken within a minute`,
      ]),
  ...newDeviceWarnings(devices),
  ...upstream.takenOver(),
];

export const configWarnings = ({ tls, upstream }: Config): string[] => [
  ...(tls?.legacy_suites === 'on' ? [`${legacySuitesWarning.message}: ${legacySuitesWarning.remedy}`] : []),
  ...(upstream ? insecureWarning(readableUpstreams(upstream).map(({ path }) => path.join('.'))) : []),
];

const insecureWarning = (keys: readonly string[]): string[] =>
  keys.length === 0
    ? []
    : [
        `not encrypted: ${keys.join(', ')} (upstream.insecure): everybody on the way reads and changes what passes: write mqtts:// or https://`,
      ];

const newDeviceWarnings = (devices: Devices): string[] =>
  devices
    .newDevices()
    .map(({ productId, refused, openUntil }) =>
      openUntil === null
        ? `${productId}: ${refused} logins of new devices were refused in the last hour. ${explainRefusal({ code: 'too_many_new_devices', detail: '' })}`
        : `${productId}: new devices are let in without a limit until ${new Date(openUntil).toISOString()}`,
    );

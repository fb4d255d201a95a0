import { type Config, readableUpstreams } from '../config/index.ts';
import { type Devices, usedTwiceRemedy, usedTwiceWords } from '../devices/index.ts';
import { legacySuitesWarning } from '../listeners/index.ts';
import type { Certificates } from '../operations/index.ts';
import { explainRefusal } from '../platform/refusals.ts';
import type { KnownTime, TimeDoubt } from '../runtime/known-time.ts';
import { momentText } from '../runtime/wall-time.ts';
import type { Upstream } from '../upstream/index.ts';

/** The warnings that `gatehouse status` and the pages show, in words. */
export const warningsOf = (
  config: Config,
  devices: Devices,
  upstream: Pick<Upstream, 'takenOver'>,
  { notTaken }: Pick<Certificates, 'notTaken'>,
  { doubt }: Pick<KnownTime, 'doubt'>,
): string[] => [
  ...configWarnings(config),
  ...(doubt === null
    ? []
    : [
        `the box does not know the time (${doubts[doubt]}): terminals that ask for it get code 503, and records have no known time of receipt; let the box reach a time server (NTP, UDP port 123), or set its clock`,
      ]),
  ...(notTaken === null
    ? []
    : [
        `${notTaken}: the certificate before stays in use; put a certificate and its key that belong together in place, and they are taken within a minute`,
      ]),
  ...newDeviceWarnings(devices, config.site.timezone),
  ...devices.usedTwice().map(one => `${usedTwiceWords(one)}; ${usedTwiceRemedy}`),
  ...upstream.takenOver().map(({ reason }) => reason),
];

const doubts = {
  'before the program': 'its clock is before the day that this program was made',
  'behind its records': 'its clock is behind its newest record',
  unlikely: 'its clock is more than ten years after the day that this program was made',
} as const satisfies Record<TimeDoubt, string>;

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

const newDeviceWarnings = (devices: Devices, timeZone: string): string[] =>
  devices
    .newDevices()
    .map(({ productId, refused, openUntil }) =>
      openUntil === null
        ? `${productId}: ${refused} logins of new devices were refused in the last hour. ${explainRefusal({ code: 'too_many_new_devices', detail: '' }).reason}`
        : `${productId}: new devices are let in without a limit until ${momentText(openUntil, timeZone)}`,
    );

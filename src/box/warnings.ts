import type { Config } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import { legacySuitesWarning } from '../listeners/index.ts';
import { explainRefusal } from '../platform/refusals.ts';

/** The warnings that `gatehouse status` and the pages show, in words. */
export const warningsOf = (config: Config, devices: Devices): string[] => [
  ...configWarnings(config),
  ...newDeviceWarnings(devices),
];

export const configWarnings = ({ tls }: Config): string[] =>
  tls?.legacy_suites === 'on' ? [`${legacySuitesWarning.message}: ${legacySuitesWarning.remedy}`] : [];

const newDeviceWarnings = (devices: Devices): string[] =>
  devices
    .newDevices()
    .map(({ productId, refused, openUntil }) =>
      openUntil === null
        ? `${productId}: ${refused} logins of new devices were refused in the last hour. ${explainRefusal({ code: 'too_many_new_devices', detail: '' })}`
        : `${productId}: new devices are let in without a limit until ${new Date(openUntil).toISOString()}`,
    );

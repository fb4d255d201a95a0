import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files below `test/` that take minutes, the longest first: started last, they would run alone at
 * the end.
 */
export const longest: readonly string[] = [
  'system/radio.nightly.test.ts',
  'system/arm64.nightly.test.ts',
  'system/deb.nightly.test.ts',
  'store/postgres/failover.nightly.test.ts',
  'power/power-cuts.long.test.ts',
  'ui/every-page.long.test.ts',
  'system/region-devices.long.test.ts',
  'system/set-up.long.test.ts',
  'ui/drill.long.test.ts',
  'store/postgres/writes.long.test.ts',
  'ui/devices.long.test.ts',
  'ui/clicks.long.test.ts',
  'system/region-forwarding.long.test.ts',
  'system/lying-cloud.long.test.ts',
  'store/postgres/waiting.long.test.ts',
  'ui/integrations.long.test.ts',
  'ui/phone.long.test.ts',
  'ui/recovers.long.test.ts',
  'ui/print.long.test.ts',
  'system/sick-disk.long.test.ts',
  'ui/site-programs.long.test.ts',
  'tools/parity.long.test.ts',
  'upstream/weather.long.test.ts',
  'ui/commission.long.test.ts',
  'store/postgres/processes.long.test.ts',
  'system/region-update.long.test.ts',
  'power/passing-errors.long.test.ts',
  'system/region-fleet.long.test.ts',
];

/** The long ones first, the others in vitest's own order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex(file => moduleId.endsWith(`/test/${file}`));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

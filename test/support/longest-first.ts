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
  'ui/phone.long.test.ts',
  'ui/every-page.long.test.ts',
  'system/region-devices.long.test.ts',
  'system/region-fleet.long.test.ts',
  'power/passing-errors.long.test.ts',
  'system/set-up.long.test.ts',
  'system/region-forwarding.long.test.ts',
  'system/deb.long.test.ts',
  'ui/devices.long.test.ts',
  'ui/system.long.test.ts',
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

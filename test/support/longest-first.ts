import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take minutes: started last, they would run alone at the end. */
const longest = [/\/system\/radio\.long\.test\.ts$/, /\/system\/deb\.long\.test\.ts$/];

/** The long ones first, the others in vitest's own order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex(pattern => pattern.test(moduleId));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

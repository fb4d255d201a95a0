import { compareVersions } from '../../../../src/runtime/compare-versions.ts';
import { wrong } from './refused.ts';

/** SPEC 2.13, as in a site file. */
export interface SimUpgrade {
  readonly app_code: string;
  readonly version: string;
  readonly url: string;
  readonly checksum?: string | undefined;
  readonly size?: number | undefined;
  readonly min_platform_version?: number | undefined;
  readonly max_platform_version?: number | undefined;
  readonly description?: string | undefined;
  readonly upgrade_type?: string | undefined;
}

const sizeMax = 100;

/** SPEC 2.13, 3.8, 4.7. */
export class SimUpgrades {
  readonly #records: readonly SimUpgrade[];

  constructor(records: readonly SimUpgrade[]) {
    this.#records = records;
  }

  /** `rest`: what follows `/app-upgrade/`; SPEC 4.7 prints the query joined to the code. */
  newest(rest: string): object {
    const [, code = '', version = ''] = /^([^?&]*?)[?&]?(?:version=([^?&]*))?$/.exec(decodeURIComponent(rest)) ?? [];
    if (code === '') throw wrong('app_code: is missing');
    const [newest] = this.#of(code);
    return newest && compareVersions(newest.version, version || '0.0.0') > 0 ? newest : {};
  }

  page(code: string, pageAsked: string | null, sizeAsked: string | null): object {
    const [page, size] = [Number(pageAsked ?? Number.NaN), Number(sizeAsked ?? Number.NaN)];
    if (!Number.isSafeInteger(page) || page < 0) throw wrong('page: a whole number from 1');
    if (!Number.isSafeInteger(size) || size < 1 || size > sizeMax) throw wrong(`size: 1 to ${sizeMax}`);
    const all = this.#of(code);
    const first = Math.max(1, page);
    return {
      page: first,
      size,
      total: all.length,
      total_page: Math.ceil(all.length / size),
      rows: all.slice((first - 1) * size, first * size),
    };
  }

  #of(code: string): SimUpgrade[] {
    return this.#records
      .filter(one => one.app_code === code)
      .sort((one, other) => compareVersions(other.version, one.version));
  }
}

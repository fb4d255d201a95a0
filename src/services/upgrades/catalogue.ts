import { compareVersions } from '../../runtime/compare-versions.ts';

/** Fields that the catalogue reads; the other fields of SPEC 2.13 are passed on as they are. */
interface Versioned {
  readonly app_code: string;
  readonly version: string;
}

/** SPEC 4.7, app/page. */
interface UpgradePage<T> {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly total_page: number;
  readonly rows: readonly T[];
}

/** A query that is not answered: 400. The message names what was sent. */
export class UpgradeRefused {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const upgradePageSizeMax = 100;
export const firstVersion = '0.0.0';

/**
 * The newest record of the app that is newer than `version` (SPEC 3.8, 4.7); null when there is
 * none. An empty `version` is 0.0.0.
 */
export function upgradeFor<T extends Versioned>(catalogue: readonly T[], appCode: string, version = ''): T | null {
  const newest = ofApp(catalogue, appCode)[0];
  return newest && compareVersions(newest.version, version.trim() || firstVersion) > 0 ? newest : null;
}

/**
 * The records of an app, the newest first. `page` from 1, 0 is read as 1; `size` 1 to 100; behind
 * the last page there are no rows.
 */
export function upgradePage<T extends Versioned>(
  catalogue: readonly T[],
  appCode: string,
  page: number,
  size: number,
): UpgradePage<T> | UpgradeRefused {
  if (!Number.isSafeInteger(page) || page < 0) return new UpgradeRefused(`page is no whole number from 1: ${page}`);
  if (!Number.isInteger(size) || size < 1 || size > upgradePageSizeMax) {
    return new UpgradeRefused(`size is no whole number from 1 to ${upgradePageSizeMax}: ${size}`);
  }
  const records = ofApp(catalogue, appCode);
  const first = Math.max(1, page);
  const start = (first - 1) * size;
  return {
    page: first,
    size,
    total: records.length,
    total_page: Math.ceil(records.length / size),
    rows: records.slice(start, start + size),
  };
}

/** The newest first; of equal versions the one that comes first. */
const ofApp = <T extends Versioned>(catalogue: readonly T[], appCode: string): readonly T[] =>
  catalogue.filter(record => record.app_code === appCode).sort((a, b) => compareVersions(b.version, a.version));

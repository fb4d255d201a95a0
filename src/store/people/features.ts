import { asc, eq } from 'drizzle-orm';
import type { DeviceNo } from '../port/journal.ts';
import type { FeatureUpdate, FeatureValue } from '../port/organization.ts';
import type { FeatureFacts, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { places } from '../schema/devices.ts';
import { feature } from '../schema/people.ts';
import { type Params, query } from '../schema/query.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { moveRows } from './person-rows.ts';

interface StoredValue {
  value: string;
  is_abnormal: boolean;
}

/**
 * Person features, sealed. A feature that a device could not recognize is abnormal until that
 * device accepts it, or a new one is stored.
 */
export class Features {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Replaces the features of this type and algorithm; an empty list deletes them. Returns false if
   * nothing changed.
   */
  put(
    { extId, featureType, featureAlg, values }: FeatureUpdate,
    at: number,
    reported: { deviceNo: DeviceNo | null; abnormal: readonly boolean[] } | null = null,
  ): boolean {
    const { sql, seal } = this.#connection;
    const stored = values.map((value, index) => ({ value, is_abnormal: reported?.abnormal[index] ?? false }));
    const before = this.#storedUnlessDamaged(extId, featureType, featureAlg);
    if (JSON.stringify(before) === JSON.stringify(stored)) return false;
    sql('DELETE FROM feature_failure WHERE ext_id = ? AND feature_type = ?').run(extId, featureType);
    if (values.length === 0)
      sql('DELETE FROM feature WHERE ext_id = ? AND feature_type = ? AND feature_alg = ?').run(
        extId,
        featureType,
        featureAlg,
      );
    else
      sql(
        `INSERT INTO feature (ext_id, feature_type, feature_alg, sealed_values, device_no, stored_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (ext_id, feature_type, feature_alg) DO UPDATE SET
           sealed_values = excluded.sealed_values, device_no = excluded.device_no, stored_at = excluded.stored_at`,
      ).run(
        extId,
        featureType,
        featureAlg,
        seal.sealText(JSON.stringify(stored), places.feature(extId, featureType, featureAlg)),
        reported?.deviceNo ?? null,
        at,
      );
    return true;
  }

  values(extId: string, featureType: string, featureAlg: string): FeatureValue[] {
    const failed = this.#connection
      .sql('SELECT 1 FROM feature_failure WHERE ext_id = ? AND feature_type = ? LIMIT 1')
      .get(extId, featureType);
    return this.#stored(extId, featureType, featureAlg).map(({ value, is_abnormal }) => ({
      value,
      isAbnormal: is_abnormal || failed !== undefined,
    }));
  }

  /** All of a person, in the order in which they were first stored. */
  of(extId: string): { featureType: string; featureAlg: string; values: string[] }[] {
    const rows = this.#connection
      .sql('SELECT feature_type, feature_alg FROM feature WHERE ext_id = ? ORDER BY rowid')
      .all(extId) as { feature_type: string; feature_alg: string }[];
    return rows.map(({ feature_type, feature_alg }) => ({
      featureType: feature_type,
      featureAlg: feature_alg,
      values: this.#stored(extId, feature_type, feature_alg).map(({ value }) => value),
    }));
  }

  failed(deviceNo: DeviceNo, failures: readonly { extId: string; featureType: string }[], at: number): void {
    const insert = this.#connection.sql(
      `INSERT INTO feature_failure (ext_id, feature_type, device_no, at) VALUES (?, ?, ?, ?)
         ON CONFLICT (ext_id, feature_type, device_no) DO UPDATE SET at = excluded.at`,
    );
    for (const { extId, featureType } of failures) insert.run(extId, featureType, deviceNo, at);
  }

  /** The device accepted these people, unless it says otherwise. */
  taken(deviceNo: DeviceNo, fromNo: number, toNo: number): void {
    this.#connection
      .sql(
        'DELETE FROM feature_failure WHERE device_no = ? AND ext_id IN (SELECT ext_id FROM person_change WHERE change_no > ? AND change_no <= ?)',
      )
      .run(deviceNo, fromNo, toNo);
  }

  remove(extId: string): void {
    this.#connection.sql('DELETE FROM feature WHERE ext_id = ?').run(extId);
    this.#connection.sql('DELETE FROM feature_failure WHERE ext_id = ?').run(extId);
  }

  /** Seals the features again, because the seal binds a feature to its ext id. */
  rename(from: string, to: string): void {
    const { sql, seal } = this.#connection;
    const rows = sql('SELECT feature_type, feature_alg, sealed_values FROM feature WHERE ext_id = ?').all(from) as {
      feature_type: string;
      feature_alg: string;
      sealed_values: Uint8Array;
    }[];
    sql('DELETE FROM feature WHERE ext_id = ?').run(to);
    for (const { feature_type: type, feature_alg: alg, sealed_values } of rows) {
      const text = seal.openText(sealed_values, places.feature(from, type, alg));
      sql(
        'UPDATE feature SET ext_id = ?, sealed_values = ? WHERE ext_id = ? AND feature_type = ? AND feature_alg = ?',
      ).run(to, seal.sealText(text, places.feature(to, type, alg)), from, type, alg);
    }
    const failures = { table: 'feature_failure', column: 'ext_id', beside: ['feature_type', 'device_no'] };
    moveRows(this.#connection, failures, from, to);
  }

  /** A damaged one is replaced: an exception would stop the projection at this report. */
  #storedUnlessDamaged(...place: [extId: string, featureType: string, featureAlg: string]): StoredValue[] | null {
    try {
      return this.#stored(...place);
    } catch (error) {
      if (error instanceof BrokenSeal) return null;
      throw error;
    }
  }

  #stored(extId: string, featureType: string, featureAlg: string): StoredValue[] {
    const row = this.#connection
      .sql('SELECT sealed_values FROM feature WHERE ext_id = ? AND feature_type = ? AND feature_alg = ?')
      .get(extId, featureType, featureAlg) as { sealed_values: Uint8Array } | undefined;
    if (!row) return [];
    const place = places.feature(extId, featureType, featureAlg);
    return JSON.parse(this.#connection.seal.openText(row.sealed_values, place)) as StoredValue[];
  }
}

/**
 * A list decrypts features up to this size to read their marks; larger ones are decrypted only on
 * the person's page.
 */
const openedForMarksMax = 256 << 10;

/** Facts about stored features of people, without the features. */
export function featureReads(connection: Connection): Pick<PeopleReads, 'featureMarks' | 'featureFacts'> {
  const { orm, sql } = connection;
  const features = new Features(connection);
  const { featureType, featureAlg, deviceNo, storedAt } = feature;
  // Hand-written: these two run for each person of a page.
  const kinds =
    'SELECT feature_type AS type, feature_alg AS alg, length(sealed_values) AS bytes FROM feature WHERE ext_id = ? ORDER BY feature_type';
  const failures = 'SELECT 1 FROM feature_failure WHERE ext_id = ? LIMIT 1';
  const facts = query((value: Params<{ extId: string }>) =>
    orm
      .select({ featureType, featureAlg, storedAt, deviceNo })
      .from(feature)
      .where(eq(feature.extId, value.extId))
      .orderBy(asc(featureType), asc(featureAlg)),
  );

  /** Values of a feature; null if they are damaged. */
  const valuesOf = (extId: string, type: string, alg: string): FeatureValue[] | null => {
    try {
      return features.values(extId, type, alg);
    } catch (error) {
      if (error instanceof BrokenSeal) return null;
      throw error;
    }
  };

  return {
    async featureMarks(extIds) {
      return new Map(
        extIds.map(extId => {
          const rows = sql(kinds).all(extId) as { type: string; alg: string; bytes: number }[];
          const isReported = () =>
            rows.some(
              ({ type, alg, bytes }) =>
                bytes <= openedForMarksMax && valuesOf(extId, type, alg)?.some(({ isAbnormal }) => isAbnormal),
            );
          const types = [...new Set(rows.map(({ type }) => type))];
          return [extId, { types, abnormal: sql(failures).get(extId) !== undefined || isReported() }];
        }),
      );
    },

    async featureFacts(extId) {
      return facts.all({ extId }).map((row): FeatureFacts => {
        const values = valuesOf(extId, row.featureType, row.featureAlg);
        return {
          ...row,
          values: (values ?? []).map(({ value, isAbnormal }) => ({ length: value.length, isAbnormal })),
          damaged: values === null,
        };
      });
    },
  };
}

import { asc, eq } from 'drizzle-orm';
import type { FeatureValue } from '../port/organization.ts';
import type { FeatureFacts, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { feature } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { Features } from '../writer/organization/features.ts';

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

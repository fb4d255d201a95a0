import { attendanceLimits } from '../../../../src/platform/attendance.ts';

interface Feature {
  readonly value: string;
  readonly is_abnormal: boolean;
}

/** Features by person, type and algorithm (SPEC 2.15, 4.8). */
export class SimFeatures {
  /** By the id of the person, then by type and algorithm. */
  readonly #of = new Map<string, Map<string, Feature[]>>();

  /** Replaces what is there; no values delete it. */
  put(userId: string, type: string, alg: string, values: readonly string[], abnormal: readonly boolean[] = []): void {
    const own = this.#of.get(userId) ?? new Map<string, Feature[]>();
    const kept = values.slice(0, attendanceLimits.featureValuesMax);
    if (kept.length === 0) own.delete(keyOf(type, alg));
    else
      own.set(
        keyOf(type, alg),
        kept.map((value, index) => ({ value, is_abnormal: abnormal[index] === true })),
      );
    this.#of.set(userId, own);
  }

  /** Some device cannot recognize them. */
  markAbnormal(userId: string, type: string): void {
    for (const [key, features] of this.#of.get(userId) ?? [])
      if (key.startsWith(`${type} `))
        this.#of.get(userId)!.set(
          key,
          features.map(({ value }) => ({ value, is_abnormal: true })),
        );
  }

  find(userId: string, type: string, alg: string): readonly Feature[] {
    return this.#of.get(userId)?.get(keyOf(type, alg)) ?? [];
  }

  forget(userId: string): void {
    this.#of.delete(userId);
  }
}

const keyOf = (type: string, alg: string): string => `${type} ${alg}`;

import { isBiometric } from '../../platform/reports.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { MirrorStore, OrganizationStore } from '../../store/index.ts';
import type { FeatureKind } from '../http/calls.ts';
import type { CloudAttendance } from './cloud.ts';
import { CloudIncomplete } from './whole-lists.ts';

/** Kinds that callers asked for beside those that are stored; the oldest goes. */
const askedKindsMax = 50;
const noneKnownMax = 10_000;
/** As long as a round of all features takes to come again. */
const noneKnownMs = 6 * 3600_000;

const keyOf = ({ featureType, featureAlg }: FeatureKind): string => `${featureType} ${featureAlg}`;

interface CloudFeaturesOptions {
  readonly store: OrganizationStore & MirrorStore;
  readonly cloud: CloudAttendance;
  readonly clock: Clock;
  /** Faces, fingerprints and PINs are neither passed on nor fetched. */
  readonly featuresStay: boolean;
}

/**
 * Features that the cloud has and the box may not. No call of SPEC 4.8 lists types and algorithms,
 * so a kind is known when somebody here has it or asks for it.
 */
export class CloudFeatures {
  readonly #options: CloudFeaturesOptions;
  readonly #isDown: () => boolean;
  readonly #asked = new Map<string, FeatureKind>();
  /** Until when it is believed that the cloud has none. */
  readonly #none = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<boolean>>();

  constructor(options: CloudFeaturesOptions, isDown: () => boolean) {
    this.#options = options;
    this.#isDown = isDown;
  }

  /** The kinds that are fetched of everybody. */
  async kinds(): Promise<FeatureKind[]> {
    const { store, featuresStay } = this.#options;
    const usual = ['fa', 'fp'].map(featureType => ({ featureType, featureAlg: 'base64' }));
    const kinds = new Map<string, FeatureKind>([...usual, ...this.#asked.values()].map(kind => [keyOf(kind), kind]));
    for (const kind of await store.read.featureKinds()) kinds.set(keyOf(kind), kind);
    return [...kinds.values()].filter(({ featureType }) => !(featuresStay && isBiometric(featureType)));
  }

  /**
   * Brings what the cloud has of a person into the store. False: the cloud cannot be asked, and
   * what it has is not known here.
   */
  async bring(extId: string, kind: FeatureKind): Promise<boolean> {
    const { clock, featuresStay } = this.#options;
    if (featuresStay && isBiometric(kind.featureType)) return true;
    this.#asked.delete(keyOf(kind));
    this.#asked.set(keyOf(kind), kind);
    if (this.#asked.size > askedKindsMax) this.#asked.delete(this.#asked.keys().next().value!);
    const key = `${extId} ${keyOf(kind)}`;
    if ((this.#none.get(key) ?? Number.NEGATIVE_INFINITY) > clock.monotonic()) return true;
    if (this.#isDown()) return false;
    let asked = this.#underWay.get(key);
    if (!asked) {
      asked = this.refresh(extId, kind).then(
        () => true,
        () => false,
      );
      this.#underWay.set(key, asked);
      void asked.then(() => this.#underWay.delete(key));
    }
    return asked;
  }

  /**
   * The same without looking at what is known. False: the cloud does not know this person. That it
   * has none deletes nothing: the terminals may have enrolled one that it has yet to get.
   */
  async refresh(extId: string, kind: FeatureKind): Promise<boolean> {
    const { store, cloud, clock } = this.#options;
    const found = await cloud.features(extId, kind.featureType, kind.featureAlg);
    const key = `${extId} ${keyOf(kind)}`;
    this.#none.delete(key);
    if (!found?.length) {
      this.#none.set(key, clock.monotonic() + noneKnownMs);
      if (this.#none.size > noneKnownMax) this.#none.delete(this.#none.keys().next().value!);
      return found !== null;
    }
    await store.write.mirrorFeatures({
      ...kind,
      extId,
      values: found.map(({ value }) => value),
      abnormal: found.map(({ isAbnormal }) => isAbnormal),
      at: clock.now(),
    });
    return true;
  }
  /**
   * Asks for everybody's features of each kind that is known; calls `between` after each. An answer
   * in part holds up nobody else; then CloudIncomplete is thrown at the end.
   */
  async refreshAll(between: () => Promise<void>): Promise<void> {
    const { store } = this.#options;
    const kinds = await this.kinds();
    const size = 100;
    let incomplete: CloudIncomplete | null = null;
    for (let offset = 0; ; offset += size) {
      const { rows } = await store.read.employees({ limit: size, offset });
      for (const { extId } of rows)
        for (const kind of extId === '' ? [] : kinds) {
          try {
            if (!(await this.refresh(extId, kind))) break;
          } catch (error) {
            if (!(error instanceof CloudIncomplete)) throw error;
            incomplete ??= error;
          }
          await between();
        }
      if (rows.length < size) break;
    }
    if (incomplete) throw incomplete;
  }
}

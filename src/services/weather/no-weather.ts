import type { UnixMs } from '../../runtime/clock.ts';

/**
 * `no_cloud`: none is configured. `cloud_failed`: it does not answer, or not with weather. `busy`:
 * too many places are being asked for.
 */
type NoWeatherReason = 'no_cloud' | 'cloud_failed' | 'busy';

interface NoWeatherFacts {
  /** The place, as a person calls it. */
  readonly place: string;
  readonly reason: NoWeatherReason;
  /** The first failure for this place since its last answer; null where the cloud was not asked. */
  readonly failingSince: UnixMs | null;
  /** The last answer, too old to be served; null where there never was one. */
  readonly lastObservedAt: UnixMs | null;
}

/**
 * A business failure (SPEC 4.7, 7.2: HTTP 200, a code that is not 0): nothing less than a day old
 * is known.
 */
export class NoWeather extends Error {
  readonly facts: NoWeatherFacts;

  constructor(facts: NoWeatherFacts, cause?: unknown) {
    super(`no weather for ${facts.place}: ${why(facts)}; ${last(facts)}`, { cause });
    this.name = 'NoWeather';
    this.facts = facts;
  }
}

function why({ reason, failingSince }: NoWeatherFacts): string {
  if (reason === 'no_cloud') return 'no cloud is configured to ask';
  if (reason === 'busy') return 'too many places are being asked for, try again';
  return `the cloud has not answered since ${moment(failingSince!)}`;
}

const last = ({ lastObservedAt }: NoWeatherFacts): string =>
  lastObservedAt === null ? 'nothing is known' : `the last known, of ${moment(lastObservedAt)}, is too old`;

const moment = (at: UnixMs): string => new Date(at).toISOString();

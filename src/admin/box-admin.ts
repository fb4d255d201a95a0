import type { HashStrength } from '../accounts/index.ts';
import type { Site } from '../platform/site.ts';
import type { Clock } from '../runtime/clock.ts';
import type { CatchUpStore, HealthStore, ReadPart, SiteReads, Store } from '../store/index.ts';
import { applySite } from './apply-site.ts';
import { type AnyOperation, runningOf } from './operation.ts';
import type { BoxAdmin } from './port.ts';
import { type Resources, type RunningParts, resources, type StoppedParts } from './resources.ts';
import { exportRows } from './rows.ts';

interface Means {
  readonly clock: Clock;
  readonly hashStrength: HashStrength;
}

type SiteStore = Parameters<typeof applySite>[0];
type RowStore = Parameters<typeof exportRows>[0];

/** The answers of a running box: the other end of its socket. */
export function runningAdmin(
  parts: RunningParts &
    Means & {
      readonly store: SiteStore & RowStore & CatchUpStore;
      readonly production: boolean;
      readonly site: Site;
    },
): BoxAdmin {
  const { store, clock, hashStrength, production, site } = parts;
  return {
    ...runningOf(resources, parts),
    site: options => store.read.site(options),
    apply: input => applySite(store, input, { production, clock, hashStrength, siteName: site.name }),
    async *rows(what, filter) {
      await store.catchUp();
      yield* exportRows(store, what, filter, site.timezone);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The same on the store of a stopped box. `own` takes it over for what writes. */
export function stoppedAdmin({
  own,
  ...parts
}: Omit<StoppedParts, 'writing' | 'owning'> &
  Means & {
    readonly store: RowStore & ReadPart<SiteReads> & HealthStore & { readonly environment: string } & AsyncDisposable;
    own(): Promise<Store>;
  }): BoxAdmin {
  const { store, clock, hashStrength, site } = parts;
  const owning = async <T>(act: (owned: Store) => Promise<T>): Promise<T> => {
    await using owned = await own();
    return await act(owned);
  };
  const all = {
    ...parts,
    owning,
    writing: (act: (write: Store['write']) => Promise<unknown>) => owning(owned => act(owned.write)),
  };
  const running = Object.entries(resources).map(([name, { operations, stopped }]) => [
    name,
    { ...refusing(operations), ...stopped(all as never) },
  ]);
  return {
    ...(Object.fromEntries(running) as Resources),
    site: options => store.read.site(options),
    apply: input =>
      owning(owned => applySite(owned, input, { production: store.environment === 'production', clock, hashStrength })),
    async *rows(what, filter) {
      if (store.health().lagRecords === 0) return yield* exportRows(store, what, filter, site.timezone);
      await using owned = await own();
      await owned.catchUp();
      yield* exportRows(owned, what, filter, site.timezone);
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Refuses an operation that only a running box can do. */
class BoxStopped extends Error {
  constructor() {
    super('the box does not run: start it with `gatehouse serve`, then try again');
    this.name = 'BoxStopped';
  }
}

const whileStopped = () => Promise.reject(new BoxStopped());
// biome-ignore lint/correctness/useYield: it says that there is nothing, when it is read
async function* linesWhileStopped(): AsyncGenerator<never> {
  throw new BoxStopped();
}
const refusing = (operations: Readonly<Record<string, AnyOperation>>) =>
  Object.fromEntries(
    Object.entries(operations).map(([name, one]) => [name, 'line' in one ? linesWhileStopped : whileStopped]),
  );

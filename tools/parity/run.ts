import type { Clock } from '../../src/runtime/clock.ts';
import { type ParityApi, parityApis } from './calls.ts';
import { differencesOf, type FieldDifference, type MayDiffer } from './compare.ts';
import { expectedDifferences, weatherIsOld } from './expected.ts';
import { ListRefused, listDifferences, lists } from './lists.ts';
import type { ParityCall, ParityKeys, Side, SideAnswer } from './side.ts';
import { undone, withoutName, written, writtenApis, writtenName } from './writes.ts';

export interface Difference extends FieldDifference {
  readonly api: string;
  readonly call: ParityCall;
}

export interface ParityReport {
  readonly differences: readonly Difference[];
  /** By API: how many calls or records were compared. */
  readonly compared: Readonly<Record<string, number>>;
  /** Calls that could not be made, and why. */
  readonly unasked: readonly { readonly api: string; readonly side: string; readonly why: string }[];
}

/** A difference counts when it is still there after so many looks: a copy follows later. */
const looksMax = 4;
const betweenMs = 2000;

const mayDifferIn =
  (api: string): MayDiffer =>
  (field, box, cloud) =>
    expectedDifferences.some(
      one => (one.api === '*' || one.api === api) && one.field.test(field) && typeof box === typeof cloud,
    );

/**
 * The same calls to both sides, and what they answer differently. With `writes`, a word that no run
 * before had, calls that write are among them, and what they wrote is deleted again.
 */
export async function comparePlatforms(
  sides: { readonly box: Side; readonly cloud: Side },
  keys: ParityKeys,
  { clock, day, writes }: { clock: Clock; day: string; writes: string | null },
): Promise<ParityReport> {
  const looks: Look[] = parityApis(keys, day).flatMap(api =>
    api.calls.map(call => ({
      api: api.name,
      compare: async () => ({ count: 1, found: await compareCall(sides, api, call) }),
    })),
  );
  if (keys.attendance)
    for (const listed of lists) looks.push({ api: 'attendance', compare: () => compareList(sides, listed) });
  // Last: what is written stands in the lists for a moment.
  if (writes !== null)
    for (const one of writtenApis(keys)) looks.push({ api: one.api, compare: () => compareWrites(sides, one, writes) });

  const results = new Map<Look, Outcome | Unasked>();
  const lookAt = async (look: Look) => {
    try {
      results.set(look, await look.compare());
    } catch (error) {
      if (!(error instanceof Unasked)) throw error;
      results.set(look, error);
    }
  };
  let left = looks;
  for (let round = 1; round <= looksMax && left.length > 0; round++) {
    if (round > 1) await clock.sleep(betweenMs);
    for (const look of left) await lookAt(look);
    left = left.filter(look => ((results.get(look) as Partial<Outcome>).found?.length ?? 0) > 0);
  }

  const differences: Difference[] = [];
  const compared: Record<string, number> = {};
  const unasked: { api: string; side: string; why: string }[] = [];
  for (const [{ api }, result] of results) {
    if (result instanceof Unasked) unasked.push({ api, side: result.side, why: result.message });
    else {
      differences.push(...result.found);
      compared[api] = (compared[api] ?? 0) + result.count;
    }
  }
  return { differences, compared, unasked };
}

interface Outcome {
  readonly count: number;
  readonly found: readonly Difference[];
}

interface Look {
  readonly api: string;
  readonly compare: () => Promise<Outcome>;
}

async function compareList(
  { box, cloud }: { box: Side; cloud: Side },
  { call, about, read, key }: (typeof lists)[number],
): Promise<Outcome> {
  const [mine, theirs] = await Promise.all([rowsOf(box, read), rowsOf(cloud, read)]);
  if (typeof mine === 'string' || typeof theirs === 'string') {
    if (mine === theirs) return { count: 1, found: [] };
    const shownAs = (one: typeof mine) => (typeof one === 'string' ? one : `${one.length} rows`);
    return { count: 1, found: [{ api: 'attendance', call, field: '', box: shownAs(mine), cloud: shownAs(theirs) }] };
  }
  const found = listDifferences(mine, theirs, key, mayDifferIn(about));
  return { count: theirs.length, found: found.map(one => ({ ...one, api: 'attendance', call })) };
}

/** A side that gave no whole answer. */
class Unasked extends Error {
  readonly side: string;
  constructor(side: string, why: string) {
    super(why);
    this.side = side;
  }
}

/** Rows, or in words why there are none. */
async function rowsOf(side: Side, read: (side: Side) => Promise<Record<string, unknown>[]>) {
  try {
    return await read(side);
  } catch (error) {
    if (error instanceof ListRefused) return error.message;
    throw new Unasked(side.name, (error as Error).message);
  }
}

async function compareCall(
  { box, cloud }: { box: Side; cloud: Side },
  api: ParityApi,
  call: ParityCall,
): Promise<Difference[]> {
  const [mine, theirs] = await Promise.all([asked(box, call), asked(cloud, call)]);
  const isOld = api.name === 'weather' && weatherIsOld(String(mine.headers.age ?? 0));
  const mayDiffer = mayDifferIn(api.name);
  const found = differencesOf(
    shown(mine, api),
    shown(theirs, api),
    (field, one, other) =>
      mayDiffer(field, one, other) || (isOld && field.startsWith('body.data.') && typeof one === typeof other),
  );
  return found.map(one => ({ ...one, api: api.name, call }));
}

async function compareWrites(
  { box, cloud }: { box: Side; cloud: Side },
  api: ReturnType<typeof writtenApis>[number],
  run: string,
): Promise<Outcome> {
  const of = (side: Side) =>
    written(side, api, run).catch(error => {
      throw new Unasked(side.name, `${(error as Error).message}; ${writtenName(side.name, run)} may be left there`);
    });
  const [mine, theirs] = await Promise.all([of(box), of(cloud)]).finally(() =>
    undone(box, api, writtenName('cloud', run)),
  );
  const found = mine.flatMap(({ call, answer }, index) => {
    const { answer: other } = theirs[index]!;
    const said = (one: SideAnswer, side: Side) =>
      withoutName({ status: one.status, body: one.body }, writtenName(side.name, run));
    return differencesOf(said(answer, box), said(other, cloud), mayDifferIn(api.api)).map(one => ({
      ...one,
      api: api.api,
      call,
    }));
  });
  return { count: mine.length, found };
}

const shown = ({ status, body }: SideAnswer, { statusOnly }: ParityApi): object =>
  statusOnly ? { status } : { status, body };

async function asked(side: Side, call: ParityCall): Promise<SideAnswer> {
  try {
    return await side.ask(call);
  } catch (error) {
    throw new Unasked(side.name, (error as Error).message);
  }
}

import { type EventKind, eventKinds } from '../platform/event-topics.ts';
import type { Places } from './event-stream.ts';
import type { EventSource } from './events.ts';
import { refused } from './problem.ts';

/**
 * The id of a message of a stream: the store, and the last event of each kind, such as
 * `3f2a:checkins=12,access=5`. A browser that comes again sends the last one that it had.
 */
export const placesText = (epoch: string, places: Places): string =>
  `${epoch}:${[...places].map(([kind, seq]) => `${kind}=${seq}`).join(',')}`;

/** Kinds in a list such as `checkins,access`; empty for all. */
export function readKinds(text: string): EventKind[] {
  const asked = text.split(',').filter(Boolean);
  const wrong = asked.find(one => !eventKinds.some(kind => kind === one));
  if (wrong !== undefined) throw refused(400, 'bad_kind', `kinds: ${wrong}: write ${eventKinds.join(', ')}`);
  return asked.length === 0 ? [...eventKinds] : eventKinds.filter(kind => asked.includes(kind));
}

/**
 * Where a stream begins: after the id that it had last, or after a `seq` of its one kind; of what
 * neither names, with what comes next. `isOther`: the id is of another store, whose numbers say
 * nothing here.
 */
export async function readPlaces(
  source: EventSource,
  kinds: readonly EventKind[],
  after: string,
): Promise<{ readonly places: Places; readonly isOther: boolean }> {
  const known = new Map<string, number>();
  const id = readId(after);
  const isOther = id !== null && id.epoch !== source.epoch;
  if (/^\d{1,15}$/.test(after) && kinds.length === 1) known.set(kinds[0]!, Number(after));
  else if (id === null && after !== '')
    throw refused(400, 'bad_place', 'after: write the id of the last message, or its seq if you ask for one kind');
  for (const one of isOther ? [] : (id?.places ?? [])) {
    const [kind = '', seq] = one.split('=');
    known.set(kind, Number(seq));
  }
  const places = new Map<EventKind, number>();
  for (const kind of kinds)
    places.set(kind, known.get(kind) ?? (await source.placeSince(kind, Number.MAX_SAFE_INTEGER)));
  return { places, isOther };
}

/** Ids have some 60 characters: three kinds, with numbers of up to 15 digits. */
const idLengthMax = 200;

/** The places in a text of `placesText`; null for any other text. */
function readId(text: string): { readonly epoch: string; readonly places: readonly string[] } | null {
  const colon = text.indexOf(':');
  if (colon < 1 || text.length > idLengthMax) return null;
  const places = text
    .slice(colon + 1)
    .split(',')
    .filter(Boolean);
  return places.every(one => /^\w+=\d{1,15}$/.test(one)) ? { epoch: text.slice(0, colon), places } : null;
}

import { type Division, PlaceTable } from './place-table.ts';

/** The query of SPEC 4.7, weather, as it came. */
interface PlaceQuery {
  /** An adcode, or longitude,latitude in degrees. Wins over `city`. */
  readonly location?: string | undefined;
  /** A Chinese name or its pinyin. */
  readonly city?: string | undefined;
}

export interface Place {
  /**
   * The same for every way to name the same place: an adcode, or longitude,latitude with two
   * decimals. At most 14 characters.
   */
  readonly key: string;
  /** For the cloud: the key. */
  readonly location?: string;
  /**
   * The Chinese name with the ones that hold it, such as 北京市朝阳区; absent where only coordinates are
   * known.
   */
  readonly city?: string;
  /** Where the name means several places: which one was taken, and which not. */
  readonly note?: string;
}

type PlaceFault = 'malformed' | 'unknown' | 'not_given';

/**
 * A place that nothing can be asked about. The message names what was sent, at most 100 characters
 * of it.
 */
export class PlaceRefused {
  readonly fault: PlaceFault;
  readonly message: string;

  constructor(fault: PlaceFault, message: string) {
    this.fault = fault;
    this.message = message;
  }
}

type ResolvePlace = (query: PlaceQuery) => Place | PlaceRefused;

/**
 * The longest text that is looked up, in UTF-16 units: enough for pinyin with the province and the
 * prefecture in front.
 */
const textMax = 100;
const othersShown = 5;

/**
 * Finds the place of a query (SPEC 4.7). `site` is the box's own place, taken when neither is
 * given. The table is read at the first query that needs it and stays: 2 MB.
 */
export function openPlaces(site: PlaceQuery | null = null): { resolvePlace: ResolvePlace } {
  let table: PlaceTable | undefined;
  const resolve = (query: PlaceQuery): Place | PlaceRefused | null => {
    const location = trimmed(query.location);
    if (location) return coordinates(location) ?? byAdcode(location);
    const city = trimmed(query.city);
    return city ? byName(city) : null;
  };
  const byAdcode = (location: string): Place | PlaceRefused => {
    if (!/^\d{6}$/.test(location)) {
      return new PlaceRefused('malformed', `location is neither an adcode nor longitude,latitude: ${shown(location)}`);
    }
    table ??= new PlaceTable();
    const division = table.byAdcode(location);
    return division ? placeOf(division, table) : new PlaceRefused('unknown', `no place with the adcode ${location}`);
  };
  const byName = (city: string): Place | PlaceRefused => {
    if (city.length > textMax) return new PlaceRefused('malformed', `city is too long: ${shown(city)}`);
    table ??= new PlaceTable();
    const [first, ...others] = table.byName(city);
    if (!first) return new PlaceRefused('unknown', `no place with the name ${shown(city)}`);
    const place = placeOf(first, table);
    return others.length === 0 ? place : { ...place, note: noteOf(city, first, others, table) };
  };
  return {
    resolvePlace: query =>
      resolve(query) ??
      resolve(site ?? {}) ??
      new PlaceRefused('not_given', 'neither location nor city is given, and the site has no place of its own'),
  };
}

/** Full-width characters as plain ones, Chinese commas as commas, no space at the ends. */
const trimmed = (text = ''): string => text.normalize('NFKC').replaceAll('、', ',').trim();

const shown = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text);

const placeOf = (division: Division, table: PlaceTable): Place => ({
  key: division.adcode,
  location: division.adcode,
  city: table.fullName(division),
});

function noteOf(city: string, first: Division, others: readonly Division[], table: PlaceTable): string {
  const name = (one: Division): string => `${table.fullName(one)} (${one.adcode})`;
  const more = others.length > othersShown ? ` and ${others.length - othersShown} more` : '';
  return `${city} is taken as ${name(first)}, not ${others.slice(0, othersShown).map(name).join(', ')}${more}`;
}

/** Null for a text that is no pair. */
function coordinates(text: string): Place | PlaceRefused | null {
  const pair = /^([+-]?\d{1,3}(?:\.\d{0,20})?)(?:\s*,\s*|\s+)([+-]?\d{1,3}(?:\.\d{0,20})?)$/.exec(text);
  if (!pair) return null;
  const [longitude, latitude] = [Number(pair[1]), Number(pair[2])];
  if (Math.abs(latitude) > 90 && Math.abs(longitude) <= 90) {
    return new PlaceRefused('malformed', `location is longitude,latitude, the longitude first: ${shown(text)}`);
  }
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
    return new PlaceRefused(
      'malformed',
      `location is out of range (longitude -180 to 180, latitude -90 to 90): ${shown(text)}`,
    );
  }
  const key = `${rounded(longitude)},${rounded(latitude)}`;
  return { key, location: key };
}

/** Two decimals: about a kilometre. */
const rounded = (degrees: number): string => degrees.toFixed(2).replace(/^-0\.00$/, '0.00');

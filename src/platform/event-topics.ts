/**
 * The topics of the events that the site's own programs hear (docs/events.md), and what a filter of
 * MQTT 3.1.1 (4.7) covers. Pure: the broker, the tokens and the HTTP API share it.
 */

const root = 'gatehouse/v1';

/** The kinds whose events are numbered and can be read again. */
export const eventKinds = ['checkins', 'access', 'logs'] as const;
export type EventKind = (typeof eventKinds)[number];

/** In place of a device id, for records that only the cloud lists. */
const ofNoDevice = 'cloud';

export const eventTopics = {
  record: (kind: EventKind, deviceId: string) => `${root}/${kind}/${deviceId || ofNoDevice}`,
  presence: (deviceId: string) => `${root}/devices/${deviceId}/presence`,
  line: `${root}/line`,
  alert: (kind: string) => `${root}/alerts/${kind}`,
  peopleChanged: `${root}/people/changed`,
  box: `${root}/box`,
  /** To a program that was too slow: what it was not sent can be read again. */
  missed: `${root}/missed`,
  /** Programs ask here for what they missed. */
  replay: `${root}/replay`,
  command: (deviceId: string) => `${root}/commands/${deviceId}`,
  /** Answers to one program, and what it says to others. */
  answers: (program: string) => `${root}/answers/${program}`,
  program: (program: string) => `${root}/apps/${program}`,
} as const;

/** Where Home Assistant looks for devices (MQTT discovery), and says that it has started. */
const homeAssistantRoot = 'homeassistant';
/** `id`: letters, digits, underscores and hyphens. */
export const homeAssistantConfig = (id: string) => `${homeAssistantRoot}/device/${id}/config`;
export const homeAssistantStatus = `${homeAssistantRoot}/status`;

/** Topics of a program by default: no people's data. */
export const usualFilters: readonly string[] = ['devices/#', 'line', 'alerts/#', 'box'].map(one => `${root}/${one}`);

/** Filters of people's data: names, numbers, what people did, and logs, which may name them. */
const aboutPeople = ['checkins/#', 'access/#', 'logs/#', 'people/#'].map(one => `${root}/${one}`);

export const hasPeoplesData = (filters: readonly string[]): boolean =>
  filters.some(filter => aboutPeople.some(one => overlap(filter, one)));

/** Whether every event of a kind may be heard. */
export const hearsKind = (filters: readonly string[], kind: EventKind): boolean =>
  coversAny(filters, `${root}/${kind}/#`);

/** Of a filter, in characters, with its `gatehouse/v1`. */
const filterLengthMax = 200;

/**
 * A filter as people write it: below `gatehouse/v1` unless it names `gatehouse/…` or
 * `homeassistant/…`. Null: no filter of MQTT, or of topics that the broker does not have.
 */
export function readFilter(text: string): string | null {
  if (text === '') return null;
  if (text.length > filterLengthMax) return null;
  const isWhole = /^(gatehouse|homeassistant)(\/|$)/.test(text);
  const filter = isWhole ? text : `${root}/${text}`;
  if (filter.length > filterLengthMax || !isFilter(filter)) return null;
  return filter.startsWith(`${root}/`) || filter.startsWith(`${homeAssistantRoot}/`) ? filter : null;
}

/** MQTT 3.1.1, 4.7.1: `#` stands alone and last, `+` stands alone in its level. */
export function isFilter(filter: string): boolean {
  if (filter === '') return false;
  const levels = filter.split('/');
  if (levels.at(-1) === '#') levels.pop();
  return levels.every(level => level === '+' || !/[#+\0]/.test(level));
}

/** Whether a filter matches a topic (MQTT 3.1.1, 4.7); a wildcard at the front matches no `$`. */
export function matches(filter: string, topic: string): boolean {
  if (topic.startsWith('$') && !filter.startsWith('$')) return false;
  const wanted = filter.split('/');
  const levels = topic.split('/');
  for (const [at, one] of wanted.entries()) {
    if (one === '#') return true;
    if (at >= levels.length || (one !== '+' && one !== levels[at])) return false;
  }
  return wanted.length === levels.length;
}

export const matchesAny = (filters: readonly string[], topic: string): boolean =>
  filters.some(filter => matches(filter, topic));

/** Whether `allowed` matches every topic that `filter` matches. */
export function covers(allowed: string, filter: string): boolean {
  const wide = allowed.split('/');
  const narrow = filter.split('/');
  for (const [at, one] of wide.entries()) {
    if (one === '#') return true;
    // `a/#` matches `a` too, and so is covered by nothing that ends here.
    const asked = narrow[at];
    if (asked === undefined || asked === '#') return false;
    if (one !== '+' && one !== asked) return false;
  }
  return wide.length === narrow.length;
}

export const coversAny = (allowed: readonly string[], filter: string): boolean =>
  allowed.some(one => covers(one, filter));

/** Whether some topic matches both. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [one.split('/'), other.split('/')];
  for (let at = 0; ; at++) {
    if (a[at] === '#' || b[at] === '#') return true;
    if (a[at] === undefined || b[at] === undefined) return a.length === b.length;
    if (a[at] !== '+' && b[at] !== '+' && a[at] !== b[at]) return false;
  }
}

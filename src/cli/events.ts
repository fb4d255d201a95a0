import type { AnswerOf, BoxClient } from '../admin-client/index.ts';
import { type EventKind, eventKinds } from '../platform/event-topics.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, flag, type Run, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { parseMoment } from './moment.ts';
import { onOneLine } from './printable.ts';
import { zoneOf } from './site-zone.ts';
import { ago, moment, table } from './wording.ts';

const lookAgainMs = 1000;
const pageRows = 500;

type Event = AnswerOf<'get', '/events'>['rows'][number] & Readonly<Record<string, unknown>>;
type From = { readonly after: number } | { readonly since: number };

/** `events [--kind K] [--device ID] [--since TIME|SEQ] [-f] [--json]`. */
export const events: Run = async call => {
  const kinds = kindsOf(call);
  const from = fromOf(call, kinds);
  const device = textOption(call, 'device');
  await using box = await findBox(call);
  const timeZone = await zoneOf(box);
  const places = new Map<EventKind, From>(kinds.map(kind => [kind, from(timeZone)]));
  do {
    for await (const [kind, event] of inOrder(box, places)) {
      if (device !== undefined && event.device_id !== device) continue;
      await call.print(`${flag(call, 'json') ? JSON.stringify({ kind, ...event }) : lineOf(kind, event, timeZone)}\n`);
    }
    if (flag(call, 'follow')) await realClock.sleep(lookAgainMs);
  } while (flag(call, 'follow'));
};

function kindsOf(call: Call): EventKind[] {
  const asked = call.options.kind as readonly string[] | undefined;
  return asked === undefined ? [...eventKinds] : eventKinds.filter(kind => asked.includes(kind));
}

function fromOf(call: Call, kinds: readonly EventKind[]): (timeZone: string) => From {
  const now = realClock.now();
  const since = textOption(call, 'since') ?? (flag(call, 'follow') ? String(now) : '1h');
  if (!/^\d+$/.test(since) || textOption(call, 'since') === undefined) {
    const from = parseMoment(since, 'since', now);
    return timeZone => ({ since: from(timeZone) });
  }
  if (kinds.length === 1) return () => ({ after: Number(since) });
  throw new WrongUsage(`--since ${since}: a seq is of one kind: name it with --kind`);
}

/** Events of all kinds up to now, by time of receipt; advances the places. */
async function* inOrder(box: BoxClient, places: Map<EventKind, From>): AsyncGenerator<[EventKind, Event]> {
  const readers = [...places.keys()].map(kind => ({ kind, rows: rowsOf(box, kind, places) }));
  const heads = await Promise.all(readers.map(async one => ({ ...one, next: await one.rows.next() })));
  for (;;) {
    const first = heads
      .filter(({ next }) => !next.done)
      .toSorted((one, other) => (one.next.value as Event).received_at - (other.next.value as Event).received_at)[0];
    if (!first) return;
    yield [first.kind, first.next.value as Event];
    first.next = await first.rows.next();
  }
}

async function* rowsOf(box: BoxClient, kind: EventKind, places: Map<EventKind, From>): AsyncGenerator<Event, void> {
  for (let more = true; more; ) {
    const page = await box.get('/events', { kind, ...places.get(kind)!, limit: pageRows });
    yield* page.rows as readonly Event[];
    places.set(kind, { after: page.through });
    more = page.more;
  }
}

const names: Readonly<Record<EventKind, string>> = { checkins: 'check-in', access: 'access  ', logs: 'log     ' };

function lineOf(kind: EventKind, event: Event, timeZone: string): string {
  const what = kind === 'logs' ? String(event.text) : [personOf(event), ...whatOf(kind, event)].join('  ');
  return `${moment(event.received_at, timeZone)}  ${names[kind]}  ${event.device_id || 'the cloud'}  ${onOneLine(what)}`;
}

const personOf = ({ known, name, ext_id: id }: Event): string =>
  known ? `${name} (${id})` : `unknown${id ? ` (${id})` : ''}`;

const whatOf = (kind: EventKind, { check_type: type, door_id: door, check_result: result }: Event): string[] =>
  kind === 'checkins' ? [String(type)] : [`door ${door || '?'}`, result === 0 ? 'passed' : `refused, ${result}`];

/** `events programs`. */
export const eventPrograms: Run = async call => {
  await using box = await findBox(call);
  const report = await box.get('/programs');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(report, null, 2)}\n`);
  const { listens, rows, strangers } = report;
  const now = realClock.now();
  const cells = rows.map(one => [
    one.name,
    String(one.connections),
    String(one.dropped),
    one.refusal ? `${ago(one.refusal.at, now)}: ${onOneLine(one.refusal.why)}` : '',
  ]);
  const parts = [
    listens
      ? `programs log in at ${listens.tls ? 'mqtts' : 'mqtt'}://${listens.address}\n`
      : 'no program can log in: `listen.events` is off in the config, or the box does not run\n',
    rows.length === 0
      ? 'none yet: `gatehouse token create --role events --name NAME --topics checkins/#`\n'
      : table(['NAME', 'CONNECTIONS', 'DROPPED', 'LAST REFUSAL'], cells),
    ...strangers.map(
      ({ name, at, address, why }) =>
        `refused: ${onOneLine(name) || '(no name)'} from ${address}, ${ago(at, now)}: ${onOneLine(why)}\n`,
    ),
  ];
  await call.print(parts.join(''));
};

import type { LiveStatus } from '../../../src/admin/ui/live.ts';
import { connected, status } from '../live.ts';
import { words } from '../words/index.ts';
import { now } from './now.ts';
import { ago, count, span } from './numbers.ts';

/**
 * The signature of every page: devices, this box, the cloud; a dashed line is a gap that closes by
 * itself, a dotted one needs a person. While the box does not answer nothing is known of either
 * line, and it says so. It has its height from the beginning, so that nothing moves when it fills.
 */
export function PathLine() {
  const said = words.value.path;
  const current = connected.value ? status.value : null;
  const { toDevices, devices, box, toCloud, cloud } = current ? known(current) : unknown();
  return (
    <>
      <p class="heard-only" role="status">
        {connected.value ? '' : said.boxAway}
      </p>
      <ol class="path" aria-label={said.label}>
        <li class="station">
          <b>{said.devices}</b>
          <small>{devices}</small>
        </li>
        <li class={`track ${toDevices}`} aria-hidden="true" />
        <li class="station">
          <b>{said.box}</b>
          <small class={connected.value ? undefined : 'bad'}>{box}</small>
        </li>
        <li class={`track ${toCloud}`} aria-hidden="true" />
        <li class="station">
          <b>{said.cloud}</b>
          <small>{cloud}</small>
        </li>
      </ol>
    </>
  );
}

const blank = '\u00a0';

function unknown() {
  const said = words.value.path;
  const away = !connected.value;
  const other = away ? said.notKnown : blank;
  return { toDevices: 'none', devices: other, box: away ? said.boxAway : blank, toCloud: 'none', cloud: other };
}

function known(current: LiveStatus) {
  const said = words.value.path;
  const { devices, outbox, line } = current;
  return {
    toDevices: devices.online > 0 ? '' : 'gap',
    devices: said.online(devices.online, devices.known),
    box: outbox.waiting > 0 ? said.waiting(count(outbox.waiting)) : said.nothingWaits,
    toCloud: cloudTrack(line),
    cloud: [cloudWords(current), copyWords(current)].filter(Boolean).join(', '),
  };
}

const cloudTrack = ({ state, since }: LiveStatus['line']): string => {
  if (state === 'up') return '';
  if (state === 'none' || since === null) return 'none';
  return state === 'refused' ? 'broken' : 'gap';
};

/** As old as the oldest of what is copied; not every cloud gives access records. */
function copyWords({ mirror }: LiveStatus): string {
  const said = words.value.path;
  if (!mirror) return '';
  const { mirrored_at, checkins_at, access_at } = mirror;
  if (mirrored_at === null || checkins_at === null) return said.notCopied;
  return said.copied(ago(Math.min(mirrored_at, checkins_at, access_at ?? mirrored_at), now.value));
}

function cloudWords({ line, mirror }: LiveStatus): string {
  const said = words.value.path;
  if (line.state === 'none') return mirror ? '' : said.alone;
  if (line.state === 'up') return said.up;
  if (line.state === 'refused') return said.refused;
  if (line.since === null) return line.state === 'connecting' ? said.starting : said.notNeeded;
  const away = said.away(span(now.value - line.since));
  const retry =
    line.next_try_at !== null && line.next_try_at > now.value ? said.retry(span(line.next_try_at - now.value)) : '';
  return [away, retry].filter(Boolean).join(', ');
}

import type { LiveStatus } from '../../../src/admin/ui/live.ts';
import { status } from '../live.ts';
import { words } from '../words/index.ts';
import { now } from './now.ts';
import { ago, count, span } from './numbers.ts';

/**
 * The signature of every page: devices, this box, the cloud; a dashed line is a gap that closes by
 * itself, a dotted one needs a person.
 */
export function PathLine() {
  const said = words.value.path;
  const current = status.value;
  if (!current) return <div class="path" aria-hidden="true" />;
  const { devices, outbox, line } = current;
  const toBox = devices.online > 0 ? '' : 'gap';
  const toCloud =
    line.state === 'none' ? 'none' : line.state === 'up' ? '' : line.state === 'refused' ? 'broken' : 'gap';
  return (
    <ol class="path" aria-label={said.label}>
      <li class="station">
        <b>{said.devices}</b>
        <small>{said.online(devices.online, devices.known)}</small>
      </li>
      <li class={`track ${toBox}`} aria-hidden="true" />
      <li class="station">
        <b>{said.box}</b>
        <small>{outbox.waiting > 0 ? said.waiting(count(outbox.waiting)) : said.nothingWaits}</small>
      </li>
      <li class={`track ${toCloud}`} aria-hidden="true" />
      <li class="station">
        <b>{said.cloud}</b>
        <small>{[cloudWords(current), copyWords(current)].filter(Boolean).join(', ')}</small>
      </li>
    </ol>
  );
}

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
  const away = line.since === null ? '' : said.away(span(now.value - line.since));
  const retry =
    line.next_try_at !== null && line.next_try_at > now.value ? said.retry(span(line.next_try_at - now.value)) : '';
  return [away, retry].filter(Boolean).join(', ');
}

import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import type { LiveStatus } from '../../../src/admin/ui/live.ts';
import { connected, listen, status } from '../live.ts';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';
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
  const stations = [
    { icon: 'devices', name: said.devices, text: devices, state: toDevices, track: toDevices },
    { icon: 'box', name: said.box, text: box, state: boxState(current), track: toCloud },
    { icon: 'cloud', name: said.cloud, text: cloud, state: toCloud, track: null },
  ] as const;
  return (
    <>
      <p class="heard-only away" role="status">
        {connected.value ? '' : said.boxAway}
      </p>
      <ol class="path" aria-label={said.label}>
        {stations.map(({ icon, name, text, state, track }) => (
          <Fragment key={icon}>
            <li class={`station ${state}`}>
              <Icon name={icon} />
              <b>{name}</b>
              <small class={icon === 'box' && !connected.value ? 'bad' : undefined}>{text}</small>
            </li>
            {track !== null && (
              <li class={`track ${track}`} aria-hidden="true">
                {icon === 'devices' && <Moving />}
              </li>
            )}
          </Fragment>
        ))}
      </ol>
    </>
  );
}

/** A record that has just come in, on its way; at most one a second. */
function Moving() {
  const arrived = useSignal(0);
  useEffect(
    () =>
      listen('checkin', () => {
        if (now.peek() - arrived.peek() >= 1000) arrived.value = now.peek();
      }),
    [arrived],
  );
  return arrived.value === 0 ? null : <i key={arrived.value} class="moving" />;
}

const movesOn = (state: string): boolean => state === 'up' || state === 'standby';

const boxState = (current: LiveStatus | null): string => {
  if (!connected.value) return 'broken';
  return current && current.outbox.waiting > 0 && !movesOn(current.line.state) ? 'gap' : current ? '' : 'none';
};

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
  if (line.state === 'standby') return said.standby;
  if (line.state === 'up') return said.up;
  if (line.state === 'refused') return said.refused;
  if (line.since === null) return line.state === 'connecting' ? said.starting : said.notNeeded;
  const away = said.away(span(now.value - line.since));
  const retry =
    line.next_try_at !== null && line.next_try_at > now.value ? said.retry(span(line.next_try_at - now.value)) : '';
  return [away, retry].filter(Boolean).join(', ');
}

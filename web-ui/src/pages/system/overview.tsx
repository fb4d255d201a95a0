import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WearReport } from '../../../../src/admin/wear-report.ts';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { status } from '../../live.ts';
import { useLoaded } from '../../loaded.ts';
import { nav } from '../../nav.ts';
import { DiskRoom } from '../../parts/disk-room.tsx';
import { Figures } from '../../parts/figures.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, bytes, count, moment, span } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { standingRows, standingSentence } from '../../parts/standing.tsx';
import { Head } from './head.tsx';
import { words } from './words.ts';

/** Clocks that differ by less are shown as equal: the answer takes a moment to arrive. */
const sameMs = 5000;
const years = 3650;

/** The state of the box itself. */
export default function Overview() {
  const { loaded, reload } = useLoaded('/system');
  /** By how much the box's clock is ahead of this device's. */
  const ahead = useSignal(0);
  const { data, problem } = loaded.value;
  useEffect(() => {
    if (data) ahead.value = data.now - Date.now();
  }, [data, ahead]);
  useEffect(() => {
    const timer = setInterval(reload, 30_000);
    return () => clearInterval(timer);
  }, [reload]);
  const said = words.value.overview;
  if (!data)
    return (
      <>
        <Head sentence={nav.value.system} />
        {problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />}
      </>
    );
  const off = Math.abs(ahead.value) > sameMs;
  const isUnreadable = status.value !== null && status.value.disk.unreadable !== null;
  const own = (standingRows() ?? []).filter(({ path }) => path.startsWith('/system'));
  const sentence =
    own.length === 0 && off
      ? said.clockOff(span(Math.abs(ahead.value)))
      : own.length === 0
        ? said.running(span(data.uptime_ms))
        : standingSentence(own);
  const { days_left: days } = data.disk;
  const { backup } = data;
  return (
    <>
      <Head sentence={sentence} />
      {off && <p class="notice">{said.clockHint}</p>}
      {status.value?.database.map(({ reason: why, ...of }) => (
        <p class="notice" key={why}>
          {whySaid({ why, ...of })}
        </p>
      ))}
      <Figures
        label={nav.value.system}
        figures={[
          {
            key: 'uptime',
            icon: 'clock',
            label: said.uptime,
            value: span(data.uptime_ms),
            note: data.version,
            isText: true,
          },
          {
            ...{ key: 'disk', icon: 'disk', label: said.disk, value: bytes(data.disk.free_bytes), isText: true },
            note: said.used(bytes(data.disk.used_bytes), bytes(data.disk.free_bytes)),
            state: data.disk.state !== 'ok' || isUnreadable ? 'bad' : undefined,
          },
          { key: 'memory', icon: 'memory', label: said.memory, value: bytes(data.memory_bytes), isText: true },
          ...(backup === null
            ? []
            : [
                {
                  ...({ key: 'backup', icon: 'backup', href: '/system/backup', isText: true } as const),
                  ...{ label: said.backup, value: backedUpAt(backup) },
                  state: backup.last_at === null ? ('warn' as const) : undefined,
                },
              ]),
        ]}
      />
      <dl class="facts">
        <dt>{said.version}</dt>
        <dd>{data.version}</dd>
        <dt>{said.environment}</dt>
        <dd>{said.environments[data.environment]}</dd>
        <dt>{said.uptime}</dt>
        <dd>{span(data.uptime_ms)}</dd>
        <dt>{said.clock}</dt>
        <dd class="mono">{moment(now.value + ahead.value)}</dd>
        <dt>{said.zone}</dt>
        <dd>{data.timezone}</dd>
        <dt>{said.difference}</dt>
        <dd>{!off ? said.same : (ahead.value > 0 ? said.ahead : said.behind)(span(Math.abs(ahead.value)))}</dd>
        <dt>{said.ntp}</dt>
        <dd>{data.ntp === null ? said.ntpUnknown : data.ntp ? said.ntpYes : said.ntpNo}</dd>
        <dt>{said.disk}</dt>
        <dd>
          {said.used(bytes(data.disk.used_bytes), bytes(data.disk.free_bytes))}
          <br />
          <span class="quiet">
            {days === null
              ? data.disk.grows === false
                ? said.notGrowing
                : said.rateUnknown
              : days > years
                ? said.yearsLeft
                : said.daysLeft(count(days))}
          </span>
        </dd>
        <dt>{said.wear}</dt>
        <dd>
          <CardWear wear={data.disk.wear} />
        </dd>
        <dt>{said.memory}</dt>
        <dd>{bytes(data.memory_bytes)}</dd>
        {data.data_dir !== null && (
          <>
            <dt>{said.folder}</dt>
            <dd class="mono">{data.data_dir}</dd>
          </>
        )}
        {backup !== null && (
          <>
            <dt>{said.backup}</dt>
            <dd>
              {backedUpAt(backup)} <a href="/system/backup">{words.value.tabs.backup}</a>
            </dd>
          </>
        )}
      </dl>
      <DiskRoom />
    </>
  );
}

/** Age of the last backup. */
const backedUpAt = ({ last_at: last }: NonNullable<AnswerOf<'get', '/system'>['backup']>): string =>
  last === null ? words.value.overview.noBackupYet : ago(last, now.value);

/** Bytes written to the disk, and the life of a card. */
function CardWear({ wear }: { wear: WearReport }) {
  const said = words.value.overview;
  if (wear.written_bytes === null) return <>{said.wearUnknown}</>;
  return (
    <>
      {wear.bytes_per_day === null
        ? said.wearSoFar(bytes(wear.written_bytes), moment(wear.since))
        : said.wearDay(bytes(wear.bytes_per_day), wear.syncs_per_second.toFixed(1))}
      {wear.bytes_per_day !== null && wear.bytes_per_record !== null && wear.amplification !== null && (
        <>
          <br />
          {said.wearRecord(bytes(wear.bytes_per_record), String(wear.amplification))}
        </>
      )}
      <br />
      <span class="quiet">
        {wear.life_days === null ? said.rateUnknown : lifeOf(wear.life_days, wear.endurance_tb)}
      </span>
    </>
  );
}

function lifeOf(days: number, enduranceTb: number): string {
  const said = words.value.overview;
  const endurance = count(enduranceTb);
  const cardYears = Math.floor(days / 365);
  if (cardYears > 100) return said.cardLong(endurance);
  return cardYears >= 2 ? said.cardYears(count(cardYears), endurance) : said.cardDays(count(days), endurance);
}

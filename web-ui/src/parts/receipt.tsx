import type { ReceiptReport } from '../../../src/admin/receipts.ts';
import { useLoaded } from '../loaded.ts';
import { clockNote, lateNote } from '../words/clocks.ts';
import { Loading, ProblemNotice } from './notices.tsx';
import { moment } from './numbers.ts';
import { usePagePart } from './page-part.ts';
import './receipt.css';
import { whySaid } from './reasons.ts';
import { receiptWords } from './receipt-words.ts';

type Asked = { seq: number } | { checkin: number } | { access: number };

/** The page of one record: its way in four steps, for the screen and for paper. */
export function ReceiptPage({ asked, back }: { asked: Asked; back: string }) {
  const { loaded, reload } = useLoaded('/receipts', asked);
  const { data, problem } = loaded.value;
  const text = receiptWords.value;
  usePagePart(text.title);
  const gone = problem?.status === 404;
  return (
    <>
      <p class="sentence">{gone ? text.gone : data ? titleOf(data) : text.title}</p>
      <p class="back">
        <a href={back}>{text.back}</a>
      </p>
      {!gone && <ProblemNotice problem={problem} again={reload} />}
      {!data && !problem && <Loading rows={2} />}
      {data && (
        <>
          <p class="bar">
            <button type="button" class="act" onClick={() => print()}>
              {text.print}
            </button>
          </p>
          <Facts of={data} />
          <Receipt of={data} />
        </>
      )}
    </>
  );
}

function titleOf({ kind }: ReceiptReport): string {
  const { ofCheckin, ofAccess, ofMessage, ofLog } = receiptWords.value;
  return { checkin: ofCheckin, access: ofAccess, message: ofMessage, log: ofLog }[kind];
}

function Facts({ of }: { of: ReceiptReport }) {
  const text = receiptWords.value;
  return (
    <dl class="facts">
      {of.device_id !== '' && (
        <>
          <dt>{text.device}</dt>
          <dd>
            <a href={`/devices/${encodeURIComponent(of.device_id)}`}>{of.device || of.device_id}</a>
          </dd>
        </>
      )}
      {of.record_id !== '' && (
        <>
          <dt>{text.record}</dt>
          <dd class="mono">{of.record_id}</dd>
        </>
      )}
      {of.mid && (
        <>
          <dt>{text.message}</dt>
          <dd class="mono">{of.mid}</dd>
        </>
      )}
      {of.correction && (
        <>
          <dt>{text.correction}</dt>
          <dd>{correctionOf(of.correction)}</dd>
        </>
      )}
    </dl>
  );
}

function correctionOf({ id, set_aside, work_date, reason }: NonNullable<ReceiptReport['correction']>): string {
  const { setAside, moved, added } = receiptWords.value.corrected;
  if (set_aside) return setAside(id, reason);
  return work_date === null ? added(id, reason) : moved(id, work_date, reason);
}

/** Four lines, each with its time and state. */
export function Receipt({ of }: { of: ReceiptReport }) {
  const { steps } = receiptWords.value;
  return (
    <ol class="receipt">
      <li class={of.at_device ? undefined : 'none'}>
        <h2>{steps.device}</h2>
        <AtDevice of={of} />
      </li>
      <li class={of.on_disk ? undefined : 'none'}>
        <h2>{steps.disk}</h2>
        <OnDisk of={of} />
      </li>
      <li class={of.acknowledged === 'not here' ? 'none' : undefined}>
        <h2>{steps.answer}</h2>
        <p>{answerOf(of)}</p>
      </li>
      <li class={markOf(of.at_cloud.state)}>
        <h2>{steps.cloud}</h2>
        <AtCloud of={of.at_cloud} />
      </li>
    </ol>
  );
}

const markOf = (state: ReceiptReport['at_cloud']['state']): string | undefined =>
  state === 'parked' ? 'bad' : state === 'waiting' ? 'waits' : state === 'kept here' ? 'none' : undefined;

function AtDevice({ of: { at_device } }: { of: ReceiptReport }) {
  const text = receiptWords.value;
  if (!at_device) return <p>{text.notHere}</p>;
  const { time, clock, late_s } = at_device;
  return (
    <>
      {time === null ? (
        <p>{text.noTime}</p>
      ) : (
        <p>
          <span class="mono">{moment(time * 1000)}</span> {text.itsClock}
        </p>
      )}
      <p class={clock.wrong ? 'warn' : 'quiet'}>{clockNote(clock)}</p>
      {late_s !== null && <p class="warn">{text.late(lateNote(late_s))}</p>}
    </>
  );
}

function OnDisk({ of: { on_disk, seq } }: { of: ReceiptReport }) {
  const text = receiptWords.value;
  if (!on_disk) return <p>{text.notOnDisk}</p>;
  return (
    <>
      <p>
        <span class="mono">{moment(on_disk.received_at)}</span> {text.received}
      </p>
      <p class="quiet">{text.committed(String(seq))}</p>
      {on_disk.clamped && <p class="warn">{text.clamped}</p>}
      {!on_disk.in_journal && <p class="quiet">{text.removed}</p>}
    </>
  );
}

function answerOf({ acknowledged, box_below }: ReceiptReport): string {
  const text = receiptWords.value;
  if (acknowledged === 'not here') return text.notAcknowledged;
  return acknowledged === 'by the box below' ? text.byBoxBelow(box_below ?? '') : text.acknowledged;
}

function AtCloud({ of }: { of: ReceiptReport['at_cloud'] }) {
  const text = receiptWords.value;
  const listed = of.cloud_id !== null && <p class="quiet">{text.listedAs(of.cloud_id)}</p>;
  switch (of.state) {
    case 'confirmed':
      return (
        <>
          {of.confirmed_at === null ? (
            <p>{text.confirmedBefore}</p>
          ) : (
            <p>
              <span class="mono">{moment(of.confirmed_at)}</span> {text.confirmed((of.via ?? '').toUpperCase())}
            </p>
          )}
          {listed}
        </>
      );
    case 'parked':
      return (
        <>
          <p class="bad">
            <span class="mono">{moment(of.refused_at ?? 0)}</span>{' '}
            {text.refused(String(of.code), whySaid({ why: of.reason, ...of.said }))}
          </p>
          {of.is_sent_again && <p>{text.again}</p>}
        </>
      );
    case 'waiting':
      return <p>{text.waits}</p>;
    case 'kept here':
      return <p>{text.kept(whySaid({ why: of.reason, ...of.said }))}</p>;
    case 'listed by the cloud':
      return <>{listed || <p>{text.listed}</p>}</>;
    default:
      return of.state satisfies never;
  }
}

/** A SHA-256 in groups of four, as people compare it. */
export const Hash = ({ of }: { of: string | null }) => (
  <span class="mono">{of === null ? '–' : of.match(/.{4}/g)?.join(' ')}</span>
);

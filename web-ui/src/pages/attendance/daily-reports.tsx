import { useSignal } from '@preact/signals';
import { alertWords } from '../../../../src/platform/alert-words.ts';
import { useLoaded } from '../../loaded.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { day, hourMinute } from '../../parts/numbers.ts';
import { alertLanguageOfPage } from '../../parts/open-alerts.tsx';
import { whySaid } from '../../parts/reasons.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { words as shared } from '../../words/index.ts';
import { type DailyReport, DailyReportForm, PreviewDialog, RemoveDialog } from './daily-report-dialogs.tsx';
import { dailyReportWords } from './daily-report-words.ts';
import { Views } from './views.tsx';
import { said as attendance } from './words.ts';
import './daily-reports.css';

type Open = { readonly what: 'add' } | { readonly what: 'edit' | 'remove' | 'preview'; readonly one: DailyReport };

/** Messages of a morning: to whom, when, and what became of the last. */
export function DailyReports() {
  const { loaded, reload } = useLoaded('/attendance/daily-reports');
  const departments = useLoaded('/departments').loaded.value.data?.departments;
  const open = useSignal<Open | null>(null);
  const text = dailyReportWords.value;
  const { data, problem } = loaded.value;
  const rows = data?.rows ?? [];
  const close = () => {
    open.value = null;
  };
  const done = (sentence: string) => {
    close();
    sayDone(sentence);
    reload();
  };
  const nameOf = (extId: string) => departments?.find(one => one.ext_id === extId)?.name ?? extId;
  const columns: Column<DailyReport>[] = [
    {
      key: 'name',
      title: text.name,
      phone: 'name',
      cell: one => (
        <>
          {one.name} {one.fixed && <span class="quiet">{text.fixed}</span>}
        </>
      ),
    },
    { key: 'at', title: text.at, phone: 'state', cell: one => <span class="mono">{one.at}</span> },
    {
      key: 'departments',
      title: attendance.value.department,
      cell: one => one.departments.map(nameOf).join(text.comma) || text.wholeSite,
    },
    { key: 'channel', title: text.channel, phone: 'below', cell: one => channelOf(one) },
    { key: 'last', title: text.last, phone: 'below', cell: one => <Last one={one} /> },
    {
      key: 'actions',
      title: text.actions,
      phone: 'acts-below',
      cell: one => (
        <span class="actions">
          <Act
            label={text.preview}
            name={text.previewOf(one.name)}
            go={() => (open.value = { what: 'preview', one })}
          />
          {may('admin') && !one.fixed && (
            <>
              <Act label={text.edit} name={text.editOf(one.name)} go={() => (open.value = { what: 'edit', one })} />
              <Act
                label={shared.value.act.remove}
                name={text.removeOf(one.name)}
                go={() => (open.value = { what: 'remove', one })}
              />
            </>
          )}
        </span>
      ),
    },
  ];
  const add = may('admin') && (
    <button type="button" class="act go" onClick={() => (open.value = { what: 'add' })}>
      {text.add}
    </button>
  );
  const opened = open.value;
  return (
    <>
      <p class="sentence">{text.sentence(rows.length)}</p>
      <Views view="reports" kept={{ department: undefined, box: undefined }} />
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading />}
      {data && rows.length === 0 && (
        <Empty name="day" action={add}>
          {text.none}
        </Empty>
      )}
      {rows.length > 0 && (
        <>
          <p class="quiet">{text.lead}</p>
          <Table caption={text.sentence(rows.length)} rows={rows} rowKey={one => one.name} columns={columns} />
          <p>{add}</p>
        </>
      )}
      {(opened?.what === 'add' || opened?.what === 'edit') && (
        <DailyReportForm
          edited={opened.what === 'edit' ? opened.one : null}
          taken={rows.map(({ name }) => name)}
          departments={departments ?? []}
          done={() => done(text.saved)}
          close={close}
        />
      )}
      {opened?.what === 'remove' && (
        <RemoveDialog name={opened.one.name} done={() => done(text.removed(opened.one.name))} close={close} />
      )}
      {opened?.what === 'preview' && <PreviewDialog name={opened.one.name} close={close} />}
    </>
  );
}

const Act = ({ label, name, go }: { label: string; name: string; go: () => void }) => (
  <button type="button" class="act" aria-label={name} onClick={go}>
    {label}
  </button>
);

function channelOf({ channel, to }: DailyReport): string {
  const text = dailyReportWords.value;
  return [alertWords[alertLanguageOfPage()].channels[channel], ...(to ? [to.join(text.comma)] : [])].join(' · ');
}

function Last({ one: { last } }: { one: DailyReport }) {
  const text = dailyReportWords.value;
  if (!last) return <span class="quiet">{text.never}</span>;
  const { state, at, ...of } = last;
  const when = `${day(at)} ${hourMinute(at)}`;
  if (state === 'sent' || state === 'nobody') return <>{text.states[state](when)}</>;
  return <span class={state === 'given_up' ? 'bad' : 'warn'}>{text.states[state](when, whySaid(of))}</span>;
}

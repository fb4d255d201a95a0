import { useEffect } from 'preact/hooks';
import { span as spanOf } from '../../../../src/platform/alert-words.ts';
import { post } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { alertLanguageOfPage, OpenAlerts, saidOf } from '../../parts/open-alerts.tsx';
import { More, Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { Channels } from './alert-channels.tsx';
import { Rules } from './alert-rules.tsx';
import { words } from './alerts-words.ts';
import { Head } from './head.tsx';
import { saidProblem } from './said-problem.ts';
import { words as system } from './words.ts';

const hourMs = 3600_000;
const everyMs = 10_000;

/** Alerts, their rules, and their channels. */
export default function Alerts() {
  const { loaded, reload } = useLoaded('/alerts');
  useEffect(() => {
    const timer = setInterval(reload, everyMs);
    return () => clearInterval(timer);
  }, [reload]);
  const { data, problem } = loaded.value;
  const said = words.value;
  if (!data)
    return (
      <>
        <Head sentence={system.value.tabs.alerts} />
        {problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />}
      </>
    );
  return (
    <>
      <Head sentence={said.sentence(data.open_count)} />
      {data.muted_until !== null && <p class="notice">{said.muted(moment(data.muted_until))}</p>}
      {data.quiet && <p class="notice">{said.quiet}</p>}
      <OpenAlerts rows={data.open} count={data.open_count} />
      {may('staff') && <Mute until={data.muted_until} done={reload} />}
      <Channels channels={data.channels} reload={reload} />
      {may('admin') && <Rules />}
      <History />
    </>
  );
}

function Mute({ until, done }: { until: number | null; done: () => void }) {
  const { refused, run } = useDoing(saidProblem);
  const said = words.value;
  const mute = (ms: number | null) => () =>
    run(async () => {
      await post('/alerts/mute', { until: ms === null ? null : Date.now() + ms });
      done();
    });
  return (
    <>
      <p class="bar">
        {until === null ? (
          [1, 8].map(hours => (
            <button key={hours} type="button" class="act" onClick={mute(hours * hourMs)}>
              {said.mute(hours)}
            </button>
          ))
        ) : (
          <button type="button" class="act" onClick={mute(null)}>
            {said.unmute}
          </button>
        )}
      </p>
      <ProblemNotice problem={refused.value} />
    </>
  );
}

function History() {
  const { rows, state, more, reload } = usePages('/alerts/history', {});
  const said = words.value;
  return (
    <section aria-labelledby="alert-history">
      <h2 id="alert-history">{said.history}</h2>
      <ProblemNotice problem={state.value.problem} again={reload} />
      <Table
        caption={said.history}
        rows={rows.value}
        rowKey={row => row.id}
        empty={said.noHistory}
        columns={[
          { key: 'what', title: said.what, cell: row => <a href={row.path}>{saidOf(row).title}</a> },
          { key: 'from', title: said.from, cell: row => <span class="mono">{moment(row.since)}</span> },
          {
            key: 'lasted',
            title: said.lasted,
            cell: row => (row.over_at === null ? '' : spanOf(row.over_at - row.since, alertLanguageOfPage())),
          },
        ]}
      />
      <More state={state.value} more={more} />
    </section>
  );
}

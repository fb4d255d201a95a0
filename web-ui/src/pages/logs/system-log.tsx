import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { SystemLogReport } from '../../../../src/admin/system-log.ts';
import { logMessages } from '../../../../src/words/log/messages.ts';
import { query as queryText } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { withDevices } from '../../parts/device-link.tsx';
import { Choice } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { reasonIn } from '../../parts/reasons.ts';
import { Table } from '../../parts/table.tsx';
import { logWords } from './words.ts';

const levels = ['info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];
const lookEveryMs = 3000;

/** Log of the box itself since its start. */
export function SystemLog({ tabs }: { tabs: ComponentChildren }) {
  const { path, query, route } = useLocation();
  const level = levels.find(one => one === query.level) ?? 'info';
  const { loaded, reload } = useLoaded('/ui/system-log', { level });
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [reload]);
  const { data, problem } = loaded.value;
  const said = logWords.value;
  return (
    <>
      <p class="sentence">{sentence(data)}</p>
      {tabs}
      <div class="bar">
        <Choice
          label={said.level}
          value={level}
          onChange={event => route(`${path}${queryText({ tab: 'system', level: event.currentTarget.value })}`, true)}
        >
          {levels.map(one => (
            <option key={one} value={one}>
              {said.levels[one]}
            </option>
          ))}
        </Choice>
      </div>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading />}
      {data && (
        <Table
          caption={said.systemCaption}
          rows={data.lines}
          rowKey={line => line.no}
          empty={said.noLines}
          columns={[
            { key: 'at', title: said.at, cell: line => <span class="mono">{moment(line.at)}</span> },
            { key: 'level', title: said.level, cell: line => <LevelName level={line.level} /> },
            { key: 'part', title: said.part, cell: line => line.part },
            {
              key: 'message',
              title: said.message,
              cell: line => (
                <span class="log-text">
                  {withDevices(reasonIn({ ...line, reason: line.message }, ...logMessages))}{' '}
                  {line.fields.length > 0 && <span class="mono quiet">{withDevices(line.fields.join(' '))}</span>}
                </span>
              ),
            },
          ]}
        />
      )}
      <p class="quiet">{said.kept}</p>
    </>
  );
}

const LevelName = ({ level }: { level: Level }) => (
  <span class={level === 'error' ? 'bad' : level === 'warn' ? 'warn' : 'quiet'}>
    {logWords.value.levelNames[level]}
  </span>
);

function sentence(report: SystemLogReport | null): string {
  const said = logWords.value;
  if (!report) return said.system;
  const of = (level: Level) => report.lines.filter(line => line.level === level).length;
  return of('error') + of('warn') === 0 ? said.wellSince : said.wrongSince(of('error'), of('warn'));
}

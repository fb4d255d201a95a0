import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { alertWords } from '../../../../src/platform/alert-words.ts';
import { alertKinds, alertSeverities } from '../../../../src/platform/alerts.ts';
import { put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useForm } from '../../parts/doing.ts';
import { Field, text } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { alertLanguageOfPage } from '../../parts/open-alerts.tsx';
import { words as shared } from '../../words/index.ts';
import { words } from './alerts-words.ts';
import { saidProblem } from './said-problem.ts';
import './alert-rules.css';

type Report = AnswerOf<'get', '/alerts/settings'>;

/** When each kind of alert opens, and the quiet hours. */
export function Rules() {
  const { loaded, reload } = useLoaded('/alerts/settings');
  const { data, problem } = loaded.value;
  const said = words.value;
  return (
    <section aria-labelledby="alert-rules">
      <h2 id="alert-rules">{said.when}</h2>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading />}
      {data && <RulesForm key={JSON.stringify(data)} report={data} reload={reload} />}
    </section>
  );
}

function RulesForm({ report, reload }: { report: Report; reload: () => void }) {
  const said = words.value;
  const spoken = alertWords[alertLanguageOfPage()];
  const isFixed = (key: string): boolean => report.fixed.includes(key);
  const { busy, refused, submit } = useForm(async form => {
    await put('/alerts/settings', { settings: { ...report.chosen, ...writtenIn(form, report) } });
    reload();
  });
  const [from = '', to = ''] = String(report.in_force.quiet_hours ?? '').split('-');
  return (
    <form onSubmit={submit}>
      <p class="bar">
        <Field label={said.quietFrom} name="from" type="time" defaultValue={from} disabled={isFixed('quiet_hours')} />
        <Field label={said.quietTo} name="to" type="time" defaultValue={to} disabled={isFixed('quiet_hours')} />
      </p>
      <p class="quiet">{isFixed('quiet_hours') ? said.fixed : said.quietHint}</p>
      <div class="scroll">
        <table class="stack alert-rules" aria-label={said.when}>
          <thead>
            <tr>
              {[said.kind, said.severity, said.at, said.minutes].map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {alertKinds.map(kind => {
              const rule = report.rules[kind]!;
              const name = spoken.kinds[kind].name;
              const disabled = isFixed(`rules.${kind}`);
              const unit = (said.units as Readonly<Record<string, string>>)[kind] ?? '';
              return (
                <tr key={kind}>
                  <td data-label={said.kind}>
                    {name} {disabled && <span class="quiet">{said.fixed}</span>}
                  </td>
                  <td data-label={said.severity}>
                    <select name={`${kind} severity`} aria-label={`${name}: ${said.severity}`} disabled={disabled}>
                      {[...alertSeverities, 'off' as const].map(one => (
                        <option key={one} value={one} selected={one === rule.severity}>
                          {one === 'off' ? said.off : spoken.severities[one]}
                        </option>
                      ))}
                    </select>
                  </td>
                  <td data-label={said.at}>
                    {rule.at !== null && (
                      <span class="nowrap">
                        <input
                          name={`${kind} at`}
                          type="number"
                          min={0}
                          aria-label={`${name}: ${said.at}`}
                          defaultValue={String(rule.at)}
                          disabled={disabled}
                          required
                        />{' '}
                        <span class="quiet">{unit}</span>
                      </span>
                    )}
                  </td>
                  <td data-label={said.minutes}>
                    <input
                      name={`${kind} minutes`}
                      type="number"
                      min={0}
                      max={10080}
                      aria-label={`${name}: ${said.minutes}`}
                      defaultValue={String(rule.minutes)}
                      disabled={disabled}
                      required
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <ProblemNotice problem={saidProblem(refused.value)} />
      <p>
        <button type="submit" class="act go" disabled={busy.value}>
          {shared.value.act.save}
        </button>
      </p>
    </form>
  );
}

/** Only what differs from what is in force is chosen here: a new default of the program still counts. */
function writtenIn(form: FormData, { chosen, rules, fixed }: Report) {
  const before = (chosen.rules ?? {}) as Readonly<Record<string, object>>;
  const changed = alertKinds
    .filter(kind => !fixed.includes(`rules.${kind}`))
    .flatMap(kind => {
      const rule = rules[kind]!;
      const written = {
        severity: text(form, `${kind} severity`),
        minutes: Number(text(form, `${kind} minutes`)),
        ...(rule.at === null ? {} : { at: Number(text(form, `${kind} at`)) }),
      };
      const entries = Object.entries(written).filter(([key, value]) => value !== rule[key as keyof typeof rule]);
      const after = { ...before[kind], ...Object.fromEntries(entries) };
      return Object.keys(after).length === 0 ? [] : [[kind, after] as const];
    });
  const [from, to] = [text(form, 'from'), text(form, 'to')];
  const quiet = fixed.includes('quiet_hours')
    ? {}
    : { quiet_hours: from === '' || to === '' ? undefined : `${from}-${to}` };
  return { ...quiet, rules: Object.fromEntries(changed) };
}

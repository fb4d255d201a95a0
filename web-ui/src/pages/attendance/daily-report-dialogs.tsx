import { useSignal } from '@preact/signals';
import type { DepartmentFacts } from '../../../../src/admin/ui/people-lists.ts';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { alertWords } from '../../../../src/platform/alert-words.ts';
import { dailyReportChannels } from '../../../../src/platform/daily-report.ts';
import { erase, Problem, post, problemIn, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { inTreeOrder } from '../../parts/departments.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Choice, Field, text as written } from '../../parts/field.tsx';
import { Loading, ProblemNotice, Refused } from '../../parts/notices.tsx';
import { alertLanguageOfPage } from '../../parts/open-alerts.tsx';
import { whySaid } from '../../parts/reasons.ts';
import { words as shared } from '../../words/index.ts';
import { dailyReportWords } from './daily-report-words.ts';

export type DailyReport = AnswerOf<'get', '/attendance/daily-reports'>['rows'][number];

const inWords = (problem: Problem): Problem => problemIn(dailyReportWords.value, problem);

interface Ends {
  readonly done: () => void;
  readonly close: () => void;
}

/** Adds a daily report, or changes `edited`, which keeps its name. */
export function DailyReportForm({
  edited,
  taken,
  departments,
  done,
  close,
}: {
  edited: DailyReport | null;
  /** Names that are in use. */
  taken: readonly string[];
  departments: readonly DepartmentFacts[];
} & Ends) {
  const text = dailyReportWords.value;
  const channel = useSignal(edited?.channel ?? dailyReportChannels[0]);
  const isMail = channel.value === 'mail';
  const isKept = edited?.own_address === true && edited.channel === channel.value;
  const save = async (form: FormData) => {
    const name = edited?.name ?? written(form, 'name');
    if (!edited && taken.includes(name)) throw new Problem(409, 'taken', text.nameTaken);
    const language = written(form, 'language');
    const settings = {
      ...{ at: written(form, 'at'), departments: form.getAll('departments').map(String), channel: channel.value },
      ...(language === 'site' ? {} : { language }),
      ...(isMail ? listOf('to', form) : addressOf(form, isKept)),
    };
    await put('/attendance/daily-reports/{name}', { name, settings });
    done();
  };
  return (
    <AskDialog
      title={edited ? text.editOf(edited.name) : text.add}
      go={shared.value.act[edited ? 'save' : 'add']}
      run={save}
      inWords={inWords}
      close={close}
    >
      {!edited && <Field label={text.name} name="name" required maxLength={64} placeholder={text.namePlaceholder} />}
      <Field label={text.at} name="at" type="time" required defaultValue={edited?.at ?? '08:45'} />
      <Departments departments={departments} chosen={edited?.departments ?? []} />
      <Choice
        label={text.channel}
        value={channel.value}
        onChange={event => {
          channel.value = dailyReportChannels.find(one => one === event.currentTarget.value) ?? channel.value;
        }}
      >
        {dailyReportChannels.map(one => (
          <option key={one} value={one} selected={one === channel.value}>
            {alertWords[alertLanguageOfPage()].channels[one]}
          </option>
        ))}
      </Choice>
      {isMail ? (
        <Field
          label={text.to}
          hint={text.toHint}
          name="to"
          placeholder="head@plant.example"
          defaultValue={edited?.to?.join(', ') ?? ''}
        />
      ) : (
        <>
          <Field
            label={text.url}
            hint={isKept ? text.kept : text.urlHint}
            name="url"
            type="url"
            maxLength={2048}
            autocomplete="off"
          />
          {channel.value !== 'wecom' && (
            <Field
              label={text.secret}
              hint={isKept ? text.kept : text.secretHint}
              name="secret"
              type="password"
              maxLength={200}
              autocomplete="off"
            />
          )}
          <p class="quiet">{text.everybody}</p>
        </>
      )}
      <Choice label={text.language} name="language">
        {(['site', 'en', 'zh'] as const).map(one => (
          <option key={one} value={one} selected={one === (edited?.language ?? 'site')}>
            {text.languages[one]}
          </option>
        ))}
      </Choice>
    </AskDialog>
  );
}

function Departments({ departments, chosen }: { departments: readonly DepartmentFacts[]; chosen: readonly string[] }) {
  const text = dailyReportWords.value;
  return (
    <fieldset class="department-checks">
      <legend>{text.departments}</legend>
      <p class="quiet">{text.departmentsHint}</p>
      {inTreeOrder(departments)
        .filter(({ one, depth }) => depth > 0 && one.ext_id !== '')
        .map(({ one, depth }) => (
          <label key={one.id} class="check" style={`margin-inline-start: ${depth - 1}rem`}>
            <input type="checkbox" name="departments" value={one.ext_id} defaultChecked={chosen.includes(one.ext_id)} />
            <span>{one.name}</span>
          </label>
        ))}
    </fieldset>
  );
}

function listOf(name: string, form: FormData) {
  const all = written(form, name)
    .split(/[,，;；\s]+/)
    .filter(one => one !== '');
  return all.length === 0 ? {} : { [name]: all };
}

/** Of one that has an address already, empty fields leave it as it is: null says so. */
function addressOf(form: FormData, isKept: boolean) {
  const [url, secret] = [written(form, 'url'), written(form, 'secret')];
  if (url === '' && isKept) return { url: null, secret: secret || null };
  return { ...(url === '' ? {} : { url }), ...(secret === '' ? {} : { secret }) };
}

export const RemoveDialog = ({ name, done, close }: { name: string } & Ends) => (
  <AskDialog
    title={dailyReportWords.value.removeOf(name)}
    go={shared.value.act.remove}
    danger
    run={async () => {
      await erase('/attendance/daily-reports/{name}', { name });
      done();
    }}
    inWords={inWords}
    close={close}
  >
    <p>{dailyReportWords.value.removeSure}</p>
  </AskDialog>
);

/** The report as it would go out now, and a test of its channel. */
export function PreviewDialog({ name, close }: { name: string; close: () => void }) {
  const { loaded, reload } = useLoaded('/attendance/daily-reports/{name}/preview', { name });
  const { busy, refused, run } = useDoing();
  const tested = useSignal<{ readonly sent: boolean; readonly sentence: string } | null>(null);
  const text = dailyReportWords.value;
  const { data, problem } = loaded.value;
  const test = () =>
    run(async () => {
      tested.value = null;
      const { sent, ...of } = await post('/attendance/daily-reports/{name}/test', { name });
      tested.value = { sent, sentence: sent ? text.tested : text.notTested(whySaid(of)) };
    });
  return (
    <Dialog title={text.previewOf(name)} close={close}>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading rows={4} />}
      {data && (
        <>
          {!data.scheduled && <p class="notice">{text.quietToday}</p>}
          <article class="daily-report">
            <h2>{data.title}</h2>
            {data.lines.map(line => (
              <p key={line}>{line}</p>
            ))}
            {data.link !== '' && <p class="mono">{data.link}</p>}
          </article>
        </>
      )}
      <ProblemNotice problem={refused.value} />
      {tested.value?.sent && <output class="ok">{tested.value.sentence}</output>}
      <Refused text={tested.value?.sent === false ? tested.value.sentence : null} />
      <p class="bar">
        <button type="button" class="act" disabled={busy.value} onClick={test}>
          {text.test}
        </button>
        <button type="button" class="act go" onClick={close}>
          {shared.value.act.close}
        </button>
      </p>
    </Dialog>
  );
}

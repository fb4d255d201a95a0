import { useSignal } from '@preact/signals';
import type { AnswerOf, AskedOf } from '../../../../src/admin-client/calls.ts';
import { get, Problem, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useForm } from '../../parts/doing.ts';
import { Choice, Field, text } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { bytes, count } from '../../parts/numbers.ts';
import { sayDone } from '../../parts/toast.tsx';
import { askWho, may } from '../../session.ts';
import { words as shared } from '../../words/index.ts';
import { Head } from './head.tsx';
import { words } from './settings-words.ts';
import { words as system } from './words.ts';

type Report = AnswerOf<'get', '/settings'>;
type Change = AskedOf<'put', '/settings'>;
type Preview = AnswerOf<'get', '/settings/preview'>;

/** Name, place and language of the site, and how long things are kept. */
export default function Settings() {
  const { loaded, reload } = useLoaded('/settings');
  const { data, problem } = loaded.value;
  const said = words.value;
  return (
    <>
      <Head sentence={data ? said.sentence : system.value.tabs.settings} />
      {data ? (
        <SettingsForm key={JSON.stringify(data)} report={data} reload={reload} />
      ) : problem ? (
        <ProblemNotice problem={problem} again={reload} />
      ) : (
        <Loading />
      )}
      <section aria-labelledby="more-settings">
        <h2 id="more-settings">{said.others}</h2>
        <ul class="links">
          <li>
            <a href="/schedules/calendar">{said.othersAt.calendar}</a>
          </li>
          <li>
            <a href="/system/holidays">{said.othersAt.holidays}</a>
          </li>
          <li>
            <a href="/system/alerts">{said.othersAt.alerts}</a>
          </li>
          <li>
            <a href="/system/network">{said.othersAt.network}</a>
          </li>
          <li>
            <a href="/integrations?tab=programs">{said.othersAt.programs}</a>
          </li>
          {may('admin') && (
            <li>
              <a href="/system/backup">{said.othersAt.backup}</a>
            </li>
          )}
          <li>
            <a href="/system/users">{said.othersAt.users}</a>
          </li>
        </ul>
      </section>
    </>
  );
}

interface FormParts {
  readonly report: Report;
  reload(): void;
}

function SettingsForm({ report, reload }: FormParts) {
  const said = words.value;
  const { site, kept } = report;
  const asks = useSignal<{ change: Change; preview: Preview } | null>(null);
  const zone = useSignal(site.timezone.value);
  const isAdmin = may('admin');
  const save = async (change: Change) => {
    await put('/settings', change);
    sayDone(said.saved);
    asks.value = null;
    // The header and all times are those of the session.
    await askWho();
    reload();
  };
  const { busy, refused, submit } = useForm(async form => {
    const change = changesIn(form, report);
    const preview = await get('/settings/preview', change);
    const { records, logs } = preview.removes;
    const isSameZone = change.timezone === undefined || change.timezone === site.timezone.value;
    if (isSameZone && !records?.items && !logs?.items) await save(change);
    else asks.value = { change, preview };
  });
  const fixedHint = (key: keyof Report['site']) => {
    const where = site[key].fixed_by;
    return where === null ? undefined : said.fixed(where, `site.${key}`);
  };
  const isFixed = (key: keyof Report['site']) => !isAdmin || site[key].fixed_by !== null;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <form class="settings" onSubmit={submit}>
        {!isAdmin && <p class="quiet">{said.onlyAdmins}</p>}
        <Field
          label={said.name}
          name="name"
          required
          maxLength={100}
          defaultValue={site.name.value}
          disabled={isFixed('name')}
          hint={fixedHint('name') ?? ''}
        />
        <Choice label={said.locale} name="locale" disabled={isFixed('locale')}>
          {localesWith(site.locale.value).map(locale => (
            <option key={locale} value={locale} selected={locale === site.locale.value}>
              {(said.languages as Readonly<Record<string, string>>)[locale] ?? locale}
            </option>
          ))}
        </Choice>
        <p class="quiet">{fixedHint('locale') ?? said.localeHint}</p>
        <Field
          label={said.timezone}
          name="timezone"
          required
          list="time-zones"
          autocomplete="off"
          spellcheck={false}
          value={zone.value}
          onInput={event => {
            zone.value = event.currentTarget.value;
          }}
          disabled={isFixed('timezone')}
          hint={fixedHint('timezone') ?? said.timezoneHint}
        />
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {!isFixed('timezone') && own !== zone.value && (
          <p>
            <button
              type="button"
              class="act"
              onClick={() => {
                zone.value = own;
              }}
            >
              {said.useOwn(own)}
            </button>
          </p>
        )}
        <h2>{said.kept}</h2>
        <KeptField what="records" label={said.records} kept={kept} disabled={!isAdmin} />
        <p class="quiet">{said.recordsHint}</p>
        <KeptField what="logs" label={said.logs} kept={kept} disabled={!isAdmin} />
        {asks.value === null && <ProblemNotice problem={inWords(refused.value)} />}
        {isAdmin && (
          <p class="bar">
            <button type="submit" class="act go" disabled={busy.value}>
              {shared.value.act.save}
            </button>
          </p>
        )}
      </form>
      {asks.value && (
        <Confirm
          {...asks.value}
          save={save}
          close={() => {
            asks.value = null;
          }}
        />
      )}
    </>
  );
}

function KeptField({
  what,
  label,
  kept,
  disabled,
}: {
  what: 'records' | 'logs';
  label: string;
  kept: Report['kept'];
  disabled: boolean;
}) {
  const { days, days_max } = kept[what];
  return (
    <Field
      label={label}
      name={what}
      type="number"
      min={1}
      max={days_max}
      required
      defaultValue={String(days)}
      disabled={disabled}
      hint={words.value.atMost(days_max)}
    />
  );
}

/** Says what would be different before it is. */
function Confirm({
  change,
  preview,
  save,
  close,
}: {
  change: Change;
  preview: Preview;
  save: (change: Change) => Promise<void>;
  close: () => void;
}) {
  const said = words.value;
  const { now, came_today: came, removes } = preview;
  const { busy, refused, submit } = useForm(() => save(change));
  return (
    <Dialog title={said.confirm} close={close}>
      <form onSubmit={submit}>
        {change.timezone !== undefined && (
          <>
            <p>{said.zoneChanges(now.before, now.after)}</p>
            <p>{said.cameToday(count(came.before), count(came.after))}</p>
          </>
        )}
        {(['records', 'logs'] as const).map(what => {
          const gone = removes[what];
          if (!gone || gone.items === 0) return null;
          return (
            <p key={what}>{said.removed(said.removes[what], count(gone.items), bytes(gone.bytes), gone.at_least)}</p>
          );
        })}
        <ProblemNotice problem={refused.value} />
        <DialogButtons go={said.go} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

function inWords(problem: Problem | null): Problem | null {
  if (problem?.title !== 'closed_months') return problem;
  return new Problem(problem.status, problem.title, words.value.closedMonths(problem.problems.join(', ')));
}

const localesWith = (present: string): readonly string[] => [...new Set(['zh-CN', 'en', present])];

/** Only what differs, of the fields that can be changed. */
function changesIn(form: FormData, { site, kept }: Report): Change {
  const changed = (['name', 'timezone', 'locale'] as const).flatMap(key =>
    form.has(key) && (text(form, key) !== site[key].value || !site[key].confirmed)
      ? [[key, text(form, key)] as const]
      : [],
  );
  const days = (['records', 'logs'] as const).flatMap(what =>
    Number(text(form, what)) !== kept[what].days ? [[`${what}_days`, Number(text(form, what))] as const] : [],
  );
  return Object.fromEntries([...changed, ...days]);
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import { type Problem, problemIn, send } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { useForm } from '../parts/doing.ts';
import { Field, text as written } from '../parts/field.tsx';
import { Way } from '../parts/icon.tsx';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { now } from '../parts/now.ts';
import { day } from '../parts/numbers.ts';
import { ToastPlace } from '../parts/toast.tsx';
import { session } from '../session.ts';
import { monthName } from './attendance/dates.ts';
import { MonthBar } from './attendance/month-bar.tsx';
import { OwnMonth } from './me/month.tsx';
import { Requests } from './me/requests.tsx';
import { said } from './me/words.ts';
import { LanguageButton } from './sign-in-page.tsx';
import './me.css';

/** An access code in the address, as the sheet has it: `/me#ABCD-EFGH-JKMN`; forgotten at once. */
function codeInAddress(): string {
  const code = decodeURIComponent(location.hash.slice(1));
  if (code !== '') history.replaceState(null, '', pagePaths.me);
  return code;
}

const openPage = (code: string) => send('POST', '/own-page/session', { code });

/** An employee's own days, on the own phone, and requests to the office. */
export default function MyPage() {
  const { loaded, reload } = useLoaded('/own-page/person');
  const { data: person, problem } = loaded.value;
  useEffect(() => {
    document.title = `${said.value.page} · ${session.value?.site.name ?? ''}`;
    // Installed on a phone, it opens here and not on the pages of staff.
    document.querySelector('link[rel=manifest]')?.setAttribute('href', `${pagePaths.me}/manifest.webmanifest`);
  }, [said.value]);
  const isStranger = problem?.status === 401;
  return (
    <main class="me" id="content">
      <p class="brand">
        <Way />
        {session.value?.site.name}
      </p>
      {isStranger ? (
        <AskCode opened={reload} />
      ) : (
        <>
          <ProblemNotice problem={problem} again={reload} />
          {!person && !problem && <Loading />}
          {person && <Own person={person} signedOut={reload} />}
        </>
      )}
      <p class="foot">
        <LanguageButton />
      </p>
      <ToastPlace />
    </main>
  );
}

function AskCode({ opened }: { opened: () => void }) {
  const text = said.value;
  const open = async (code: string) => {
    await openPage(code);
    opened();
  };
  const inWords = (problem: Problem): string => problemIn(said.value.problems, problem).message;
  const { busy, refused, submit } = useForm(form => open(written(form, 'code')), inWords);
  useEffect(() => {
    const code = codeInAddress();
    if (code === '') return;
    open(code).catch(problem => {
      refused.value = inWords(problem as Problem);
    });
  }, []);
  return (
    <form onSubmit={submit}>
      <h1>{text.open}</h1>
      <p>{text.lead}</p>
      <Field
        label={text.code}
        name="code"
        class="mono"
        autocomplete="one-time-code"
        autocapitalize="characters"
        placeholder="XXXX-XXXX-XXXX"
        required
        autofocus
      />
      <p class="bad" role="alert">
        {refused}
      </p>
      <button type="submit" class="act go" disabled={busy}>
        {text.go}
      </button>
    </form>
  );
}

function Own({
  person,
  signedOut,
}: {
  person: { readonly name: string; readonly employee_num: string; readonly department: string };
  signedOut: () => void;
}) {
  const text = said.value;
  const month = useSignal(day(now.peek()).slice(0, 7));
  /** Counts what was asked for, so that the list of it is read again. */
  const round = useSignal(0);
  const asked = () => {
    round.value++;
  };
  return (
    <>
      <h1>{person.name}</h1>
      <p class="quiet">{[person.employee_num, person.department].filter(Boolean).join(' · ')}</p>
      <div class="bar">
        <MonthBar month={month.value} go={to => (month.value = to)} />
      </div>
      <h2>{monthName(month.value)}</h2>
      {/* Another month is another list: what is confirmed is never that of the one before. */}
      <OwnMonth key={month.value} month={month.value} asked={asked} />
      <Requests key={`${month.value} ${round.value}`} month={month.value} asked={asked} />
      <p>
        <button
          type="button"
          class="act"
          onClick={() => void send('DELETE', '/own-page/session').then(signedOut, signedOut)}
        >
          {text.leave}
        </button>
      </p>
    </>
  );
}

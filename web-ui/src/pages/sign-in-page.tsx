import { Problem, signedOut } from '../api.ts';
import { useForm } from '../parts/doing.ts';
import { Field } from '../parts/field.tsx';
import { Icon, Way } from '../parts/icon.tsx';
import { makeFirstAccount, session, signIn } from '../session.ts';
import { nextTheme, theme } from '../theme.ts';
import { chooseLanguage, language, words } from '../words/index.ts';

/** Shown to a person who is not signed in: asks for the first account, or to sign in. */
export function SignInPage() {
  return (
    <main class="sign-in" id="content">
      <p class="brand">
        <Way />
        {session.value?.site.name}
      </p>
      {session.value?.setup ? <FirstAccount /> : <SignIn />}
      <div class="foot">
        {!session.value?.setup && <LanguageButton />}
        <button type="button" onClick={nextTheme}>
          <Icon name="theme" />
          {words.value.theme[theme.value]}
        </button>
      </div>
    </main>
  );
}

export const LanguageButton = () => (
  <button
    type="button"
    lang={language.value === 'en' ? 'zh-CN' : 'en'}
    onClick={() => chooseLanguage(language.value === 'en' ? 'zh-CN' : 'en')}
  >
    <Icon name="language" />
    {words.value.otherLanguage}
  </button>
);

const read = (form: FormData, name: string): string => String(form.get(name) ?? '');

function SignIn() {
  const said = words.value.signIn;
  const { busy, refused, submit } = useForm(form => signIn(read(form, 'name'), read(form, 'password')), signInWords);
  return (
    <form onSubmit={submit}>
      <h1>{said.title}</h1>
      {signedOut.value && refused.value === null && <p class="notice">{said.ended}</p>}
      <Field label={said.name} name="name" autocomplete="username" autocapitalize="none" required autofocus />
      <Field label={said.password} name="password" type="password" autocomplete="current-password" required />
      <p class="bad" role="alert">
        {refused}
      </p>
      <button type="submit" class="act go" disabled={busy}>
        {said.go}
      </button>
    </form>
  );
}

function signInWords(problem: Problem): string {
  const said = words.peek().signIn;
  switch (problem.title) {
    case 'wrong':
      return said.wrong;
    case 'wait':
      return said.wait(problem.retryAfterSeconds);
    case 'busy':
      return said.busy;
    case 'no_role':
      return said.noRole;
    case 'forged':
      return said.forged;
    default:
      return problem.message;
  }
}

/** Each in its own language, for who cannot read the other. */
const languageNames = { 'zh-CN': '中文', en: 'English' } as const;

function FirstAccount() {
  const said = words.value.setup;
  const { busy, refused, submit } = useForm(async form => {
    if (read(form, 'password') !== read(form, 'again')) throw new Problem(0, 'differs', said.differs);
    await makeFirstAccount(read(form, 'code'), read(form, 'name'), read(form, 'password'));
  }, firstAccountWords);
  return (
    <form onSubmit={submit}>
      <h1>{said.title}</h1>
      <fieldset class="bar language">
        <legend>{said.language}</legend>
        {(['zh-CN', 'en'] as const).map(one => (
          <label class="check" key={one} lang={one}>
            <input
              type="radio"
              name="language"
              value={one}
              checked={language.value === one}
              onChange={() => chooseLanguage(one)}
            />
            {languageNames[one]}
          </label>
        ))}
      </fieldset>
      <p class="quiet">{said.languageHint}</p>
      <p>{said.lead}</p>
      <Field
        label={said.code}
        name="code"
        class="mono"
        autocomplete="one-time-code"
        autocapitalize="characters"
        placeholder="XXXX-XXXX"
        required
        autofocus
      />
      <Field label={said.name} name="name" autocomplete="username" required maxLength={64} />
      <Field
        label={said.password}
        name="password"
        type="password"
        autocomplete="new-password"
        hint={said.hint}
        required
      />
      <Field label={said.again} name="again" type="password" autocomplete="new-password" required />
      <p class="bad" role="alert">
        {refused}
      </p>
      <button type="submit" class="act go" disabled={busy}>
        {said.go}
      </button>
    </form>
  );
}

function firstAccountWords(problem: Problem): string {
  const said = words.peek().setup;
  const weak = /^password_(short|long|guessed|name)$/.exec(problem.title)?.[1] as keyof typeof said.weak | undefined;
  if (weak) return said.weak[weak];
  if (problem.title === 'wrong_code') return said.wrongCode;
  if (problem.title === 'wait') return said.wait(problem.retryAfterSeconds);
  if (problem.title === 'set_up') return said.setUp;
  if (problem.title === 'name_reserved') return said.nameReserved;
  return problem.message;
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { pagePaths } from '../../src/platform/page-paths.ts';
import { signedOut } from './api.ts';
import { density, nextDensity } from './density.ts';
import { InstallBanner, keepShell } from './installed.tsx';
import { connected, keepListening, status } from './live.ts';
import { nav } from './nav.ts';
import { classesOf, isOn } from './navigation.ts';
import { MyPage, pages, Wall, Welcome } from './pages/index.ts';
import { LanguageButton, SignInPage } from './pages/sign-in-page.tsx';
import { SearchButton, SearchKey } from './palette/search-key.tsx';
import { Arriving } from './parts/arriving.tsx';
import { Icon, Way } from './parts/icon.tsx';
import { pagePart } from './parts/page-part.ts';
import { PathLine } from './parts/path-line.tsx';
import { PrintButton, PrintHead } from './parts/print-head.tsx';
import { ToastPlace } from './parts/toast.tsx';
import { askWho, hasBoxes, session, signOut } from './session.ts';
import { nextTheme, theme } from './theme.ts';
import { words } from './words/index.ts';

export function App() {
  useEffect(() => {
    const stop = askUntilAnswered();
    keepListening();
    keepShell();
    return stop;
  }, []);
  useLayoutEffect(() => {
    if (session.value) document.getElementById('shell')?.remove();
    else if (!connected.value) setShellText(words.value.problem.waiting);
  }, [session.value, connected.value]);
  if (!session.value) return null;
  if (isMyPage()) return <MyPage />;
  if (!session.value.user || signedOut.value) return <SignInPage />;
  return (
    <LocationProvider>
      <a class="skip" href="#content">
        {words.value.skip}
      </a>
      <div class="frame">
        <Rail />
        <main id="content" tabIndex={-1}>
          <header class="head">
            <b class="site">{session.value.site.name}</b>
            <PathLine />
            <SearchButton place="phone" />
          </header>
          <PrintHead />
          <PageTitle />
          <Arriving />
          <Whole>
            <Router>
              {pages.map(({ path, page }) => (
                <Route key={path} path={path === '/' ? '/' : `${path}/:rest*`} component={page} />
              ))}
              <Route path={pagePaths.welcome} component={Welcome} />
              <Route path={pagePaths.wall} component={Wall} />
              <Route default component={NotFound} />
            </Router>
          </Whole>
        </main>
      </div>
      <ToastPlace />
      <InstallBanner />
      <SearchKey />
    </LocationProvider>
  );
}

/** The page of an employee, who has no account here. */
const isMyPage = (): boolean => location.pathname === pagePaths.me || location.pathname.startsWith(`${pagePaths.me}/`);

/** The shell stands until the box has said who is signed in. */
function setShellText(sentence: string): void {
  const place = document.querySelector('#shell [role=status]');
  if (!place) return;
  place.textContent = sentence;
  place.className = 'quiet';
  place.nextElementSibling?.remove();
}

const againMs = 3000;

/** Asks who is signed in until the box says so. */
function askUntilAnswered(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () =>
    askWho().catch(() => {
      if (session.peek()) return;
      connected.value = false;
      timer = setTimeout(() => void ask(), againMs);
    });
  void ask();
  return () => clearTimeout(timer);
}

/** Shows that a page broke, in place of a white one; the next page is shown again. */
function Whole({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const [broken, reset] = useErrorBoundary();
  useEffect(() => {
    if (broken) reset();
  }, [path]);
  if (!broken) return <>{children}</>;
  return (
    <div class="notice bad" role="alert">
      <p>{words.value.problem.broken}</p>
      <p class="mono">{String(broken.message ?? broken)}</p>
      <p>
        <button type="button" class="act" onClick={() => location.reload()}>
          {words.value.act.again}
        </button>
      </p>
    </div>
  );
}

/** Which page this is, and what of it: the way back is its name. */
function PageTitle() {
  const { path } = useLocation();
  const shown = pages.find(page => isOn(page.name, path));
  if (!shown) return null;
  const name = nav.value[shown.name];
  return (
    <div class="page-name">
      <h1>
        <Icon name={shown.name} />
        {pagePart.value === '' ? (
          name
        ) : (
          <>
            <a href={shown.path}>{name}</a>
            <span class="quiet">/</span>
            {pagePart.value}
          </>
        )}
      </h1>
      <PrintButton />
    </div>
  );
}

function Rail() {
  const { path } = useLocation();
  const site = session.value?.site.name ?? '';
  const shown = pages.find(page => isOn(page.name, path));
  const title = [pagePart.value, shown ? nav.value[shown.name] : words.value.name, site].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  const open = useSignal(false);
  return (
    <nav class={open.value ? 'rail open' : 'rail'} aria-label={words.value.name}>
      <div class="site">
        <Way />
        {site}
      </div>
      <SearchButton place="rail" />
      {pages
        .filter(({ ofBoxes }) => hasBoxes() || !ofBoxes)
        .map(page => (
          <a
            key={page.path}
            href={page.path}
            class={classesOf(page)}
            aria-current={isOn(page.name, path) ? 'page' : undefined}
            title={
              page.path === pagePaths.today && standing().length > 0 ? words.value.todo(standing().length) : undefined
            }
            onClick={() => {
              open.value = false;
            }}
          >
            <Icon name={page.name} />
            {nav.value[page.name]}
            {page.path === pagePaths.today && <Badge />}
          </a>
        ))}
      <button
        type="button"
        class="more"
        aria-expanded={open}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="more" />
        {nav.value.more}
      </button>
      <div class="foot">
        <div class="who">
          <b>{session.value?.user?.name}</b>
          {session.value?.user && words.value.roles[session.value.user.role]}
        </div>
        <LanguageButton />
        <button type="button" onClick={nextTheme}>
          <Icon name="theme" />
          {words.value.theme[theme.value]}
        </button>
        <button type="button" onClick={nextDensity}>
          <Icon name="density" />
          {words.value.density[density.value]}
        </button>
        <button type="button" onClick={() => void signOut()}>
          <Icon name="out" />
          {words.value.signIn.out}
        </button>
      </div>
    </nav>
  );
}

/** List of what wants a person, as the box said it last. */
const standing = () => status.value?.standing ?? [];

/** Number of entries that want a person. */
function Badge() {
  const rows = standing();
  if (rows.length === 0) return null;
  return (
    <span class="badge" data-severity={rows[0]!.severity} aria-hidden="true">
      {rows.length}
    </span>
  );
}

const NotFound = () => (
  <>
    <h1 class="sentence">{words.value.problem.notFound}</h1>
    <p>
      <a class="act go" href="/">
        <Icon name="today" />
        {nav.value.today}
      </a>
    </p>
  </>
);

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { pagePaths } from '../../src/platform/page-paths.ts';
import { signedOut } from './api.ts';
import { connected, keepListening } from './live.ts';
import { pages, Welcome } from './pages/index.ts';
import { LanguageButton, SignInPage } from './pages/sign-in-page.tsx';
import { PathLine } from './parts/path-line.tsx';
import { askWho, session, signOut } from './session.ts';
import { nextTheme, theme } from './theme.ts';
import { words } from './words/index.ts';
import { nav } from './words/nav.ts';

export function App() {
  useEffect(() => {
    askWho().catch(() => {
      connected.value = false;
    });
    keepListening();
  }, []);
  if (!session.value) return connected.value ? null : <p class="sign-in">{words.value.problem.network}</p>;
  if (!session.value.user || signedOut.value) return <SignInPage />;
  return (
    <LocationProvider>
      <a class="skip" href="#content">
        {words.value.skip}
      </a>
      <div class="frame">
        <Rail />
        <main id="content" tabIndex={-1}>
          <PathLine />
          {!connected.value && (
            <p class="notice" role="status">
              {words.value.problem.network}
            </p>
          )}
          <ErrorBoundary>
            <Router>
              {pages.map(({ path, page }) => (
                <Route key={path} path={path === '/' ? '/' : `${path}/:rest*`} component={page} />
              ))}
              <Route path={pagePaths.welcome} component={Welcome} />
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        </main>
      </div>
    </LocationProvider>
  );
}

function Rail() {
  const { path } = useLocation();
  const open = useSignal(false);
  return (
    <nav class={open.value ? 'rail open' : 'rail'} aria-label={words.value.name}>
      <div class="site">{session.value?.site.name}</div>
      {pages.map(page => (
        <a
          key={page.path}
          href={page.path}
          class={page.first ? undefined : 'second'}
          aria-current={isOn(page.path, path) ? 'page' : undefined}
          onClick={() => {
            open.value = false;
          }}
        >
          {nav.value[page.name]}
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
        {nav.value.more}
      </button>
      <div class="foot">
        <div class="who">
          {session.value?.user?.name}
          <br />
          {session.value?.user && words.value.roles[session.value.user.role]}
        </div>
        <LanguageButton />
        <button type="button" onClick={nextTheme}>
          {words.value.theme[theme.value]}
        </button>
        <button type="button" onClick={() => void signOut()}>
          {words.value.signIn.out}
        </button>
      </div>
    </nav>
  );
}

const isOn = (page: string, path: string): boolean =>
  page === '/' ? path === '/' : path === page || path.startsWith(`${page}/`);

const NotFound = () => <p class="sentence">{words.value.problem.notFound}</p>;

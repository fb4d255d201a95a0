import { signal } from '@preact/signals';
import { kept } from './kept.ts';
import { returns } from './live.ts';
import { session } from './session.ts';
import { area } from './words/index.ts';
import './installed.css';

const said = area(
  {
    label: 'Home screen',
    offer: (site: string) => `Keep ${site} on the home screen: it then opens like an app.`,
    install: 'Install',
    never: 'Not on this device',
  },
  {
    label: '主屏幕',
    offer: site => `把“${site}”放到主屏幕，像应用一样打开。`,
    install: '安装',
    never: '不再提示',
  },
);

/** Chromium's: the browser would install the page, and asks when it is told to. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}
const offer = signal<InstallOffer | null>(null);

addEventListener('beforeinstallprompt', event => {
  event.preventDefault();
  if (localStorage.getItem(kept.noInstall) === null) offer.value = event as InstallOffer;
});

/**
 * Has the browser keep the shell (`service-worker.ts`), over HTTPS and once somebody is signed in.
 * When the box has another version of the pages, an open page is loaded again, unless something is
 * being typed in it.
 */
export function keepShell(): void {
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', ({ data }) => {
    const isOther = data?.shellVersion !== undefined && data.shellVersion !== document.documentElement.dataset.version;
    if (isOther && !isTyping()) location.reload();
  });
  const register = () => {
    if (!session.value?.user) return;
    // Where the browser does not trust the certificate of the box it keeps nothing.
    serviceWorker.register('/service-worker.js').then(
      registration => registration.update().catch(() => {}),
      () => {},
    );
  };
  session.subscribe(register);
  // The box that comes back may have another version.
  returns.subscribe(register);
}

const isTyping = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  document.activeElement?.matches('input, textarea, select') === true;

/** Offered on phones and tablets, until it is done or refused for good. */
export function InstallBanner() {
  const offered = offer.value;
  if (!offered) return null;
  const close = () => {
    offer.value = null;
  };
  return (
    <section class="install" aria-label={said.value.label}>
      <p>{said.value.offer(session.value?.site.name ?? '')}</p>
      <button
        type="button"
        class="act go"
        onClick={() => {
          close();
          void offered.prompt();
        }}
      >
        {said.value.install}
      </button>
      <button
        type="button"
        class="act"
        onClick={() => {
          localStorage.setItem(kept.noInstall, 'yes');
          close();
        }}
      >
        {said.value.never}
      </button>
    </section>
  );
}

import { signal } from '@preact/signals';
import { kept } from './kept.ts';
import { returns } from './live.ts';
import { Icon } from './parts/icon.tsx';
import { session } from './session.ts';
import { area } from './words/index.ts';
import './installed.css';

const said = area(
  {
    label: 'Home screen',
    offer: (site: string) => `Add ${site} to the home screen to open it like an app.`,
    byHand: (site: string) => `Add ${site} to the home screen to open it like an app: `,
    share: 'tap Share',
    add: ', then “Add to Home Screen”.',
    install: 'Install',
    never: 'Never on this device',
  },
  {
    label: '主屏幕',
    offer: site => `把“${site}”放到主屏幕，像应用一样打开。`,
    byHand: site => `把“${site}”放到主屏幕，像应用一样打开：`,
    share: '点按“分享”',
    add: '，再选“添加到主屏幕”。',
    install: '安装',
    never: '不再提示',
  },
);

/** Chromium's: the browser would install the page, and asks when it is told to. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}
/** Safari never asks: the reader is told where it is done. */
const byHand = 'by hand';
const offer = signal<InstallOffer | typeof byHand | null>(null);

const isRefused = (): boolean => localStorage.getItem(kept.noInstall) !== null;

addEventListener('beforeinstallprompt', event => {
  event.preventDefault();
  if (!isRefused()) offer.value = event as InstallOffer;
});
if (isSafariOfPhone() && !isInstalled() && !isRefused()) offer.value = byHand;

/**
 * Safari itself: other browsers of an iPhone have no "Version". An iPad calls itself a Mac, which
 * has no touch screen.
 */
function isSafariOfPhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  const isApple = /\biP(hone|od|ad)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1);
  return isApple && /\bVersion\/\S+ .*\bSafari\//.test(userAgent);
}

function isInstalled(): boolean {
  return (
    (navigator as { standalone?: boolean }).standalone === true || matchMedia('(display-mode: standalone)').matches
  );
}

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
    // A browser that does not trust the certificate refuses the script, on every page.
    if (session.value.certificate_refused) return;
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
  const site = session.value?.site.name ?? '';
  return (
    <section class="install" aria-label={said.value.label}>
      {offered === byHand ? (
        <p>
          {said.value.byHand(site)}
          {said.value.share} <Icon name="share" />
          {said.value.add}
        </p>
      ) : (
        <>
          <p>{said.value.offer(site)}</p>
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
        </>
      )}
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

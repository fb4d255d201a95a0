/**
 * Fetches missing files again: a box that starts closes connections, and Chromium gives up requests
 * of its own accord to a box whose certificate its user passed over. Without this the page would
 * stay without its styles, or on "Loading", until somebody reloads it.
 */

declare global {
  var styles: Promise<void> | undefined;
}

const againMs = 500;
const reloadMs = 2000;
const reloadsMax = 5;
const reloads = 'gatehouse-reloads';

const isStyles = (target: EventTarget | null): target is HTMLLinkElement =>
  target instanceof HTMLLinkElement && target.rel === 'stylesheet';

/** Called before the style sheet and the scripts are asked for: hears of each whether it came. */
export function fetchAgainWhatFails(): void {
  globalThis.styles = new Promise(resolve => {
    document.addEventListener('load', ({ target }) => isStyles(target) && resolve(), true);
  });
  addEventListener(
    'error',
    ({ target }) => {
      if (isStyles(target)) setTimeout(() => renew(target), againMs);
      if (target instanceof HTMLScriptElement) setTimeout(reload, reloadMs);
    },
    true,
  );
}

function renew(link: HTMLLinkElement): void {
  link.replaceWith(link.cloneNode());
}

/** A module that failed once is not fetched again within a page, whatever asks for it. */
function reload(): void {
  const before = Number(sessionStorage.getItem(reloads));
  if (before >= reloadsMax) return;
  sessionStorage.setItem(reloads, String(before + 1));
  location.reload();
}

/** The code of the pages runs: failures are counted from 0 again. */
export function pageRuns(): void {
  sessionStorage.removeItem(reloads);
}

/** The style sheet of the pages is there; nobody waits for it longer than `patienceMs`. */
export function stylesArrived(patienceMs = 15_000): Promise<void> {
  return Promise.race([globalThis.styles, new Promise<void>(resolve => setTimeout(resolve, patienceMs))]);
}

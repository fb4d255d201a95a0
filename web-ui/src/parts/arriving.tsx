import { effect, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import { firstLoads } from '../loaded.ts';
import { words } from '../words/index.ts';
import { loadings } from './notices.tsx';

/** A page that waits longer than this for an answer is shown as it is. */
const patienceMs = 5000;

/**
 * Keeps a page that was just opened invisible until nothing in it is on its way any more, so that it
 * appears once and nothing jumps while its answers arrive one by one: rows stand for it. Later
 * loading (another month, a filter, the next rows) hides nothing, and is said here too.
 */
export function Arriving() {
  const { path } = useLocation();
  const arriving = useSignal(true);
  useLayoutEffect(() => {
    const main = document.getElementById('content');
    if (!main) return;
    main.dataset.arriving = '';
    arriving.value = true;
    const show = () => {
      watch.disconnect();
      forget();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      delete main.dataset.arriving;
      arriving.value = false;
    };
    const look = () => {
      const waits = firstLoads.peek() > 0 || main.querySelector('.loading, [aria-busy=true]');
      if (main.querySelector('.sentence, .notice, .wall') && !waits) show();
    };
    let frame = 0;
    // Behind the effects of what was just drawn, which ask for its data.
    const lookSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setTimeout(look));
    };
    const watch = new MutationObserver(lookSoon);
    watch.observe(main, { childList: true, subtree: true });
    const timer = setTimeout(show, patienceMs);
    const forget = effect(() => {
      if (firstLoads.value === 0) lookSoon();
    });
    return show;
  }, [path]);
  return (
    <>
      <p class="heard-only" role="status">
        {arriving.value || loadings.value > 0 ? words.value.list.loading : ''}
      </p>
      {arriving.value && (
        <div class="arriving">
          <div class={path === pagePaths.today ? 'skeleton picture' : 'skeleton'} />
        </div>
      )}
    </>
  );
}

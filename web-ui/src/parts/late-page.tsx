import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { connected } from '../live.ts';
import { Loading } from './notices.tsx';

const againMs = 2000;
/**
 * So often although the box answers: then it has another version of the pages, and this one is
 * gone.
 */
const failuresMax = 3;
const reloadedKey = 'gatehouse-reloaded-at';
const reloadAtMostEveryMs = 60_000;

/**
 * A page whose code is fetched when it is opened; `Waiting` stands in its place meanwhile. It is
 * fetched again for as long as the box does not answer. After an update of the box the file has
 * another name: the whole page is then loaded again, once.
 */
export function latePage(
  load: () => Promise<{ readonly default: ComponentType }>,
  Waiting: ComponentType = () => <Loading />,
): ComponentType {
  let page: ComponentType | null = null;
  return function LatePage(props) {
    const [, show] = useState(false);
    useEffect(() => {
      if (page) return;
      let left = false;
      let failures = 0;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const look = () =>
        load().then(
          found => {
            page = found.default;
            if (!left) show(true);
          },
          () => {
            if (left) return;
            failures = connected.peek() ? failures + 1 : 0;
            if (failures >= failuresMax) reloadOnce();
            timer = setTimeout(() => void look(), againMs);
          },
        );
      void look();
      return () => {
        left = true;
        clearTimeout(timer);
      };
    }, []);
    return page ? h(page, props) : <Waiting />;
  };
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - last < reloadAtMostEveryMs) return;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
}

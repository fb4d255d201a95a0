import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { LogLine } from '../../../../src/admin/ui/device-page.ts';
import { get, type Problem } from '../../api.ts';
import { useEvery } from '../../parts/every.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { whenOf } from '../../parts/when.ts';
import { say } from './words.ts';

const firstLines = 50;
const keptLines = 500;
const refreshMs = 2000;
/** Does not scroll to the end for a reader who is further up than this. */
const nearEndPixels = 40;

/** The last logs, the newest last, as they come; frozen while paused. */
export function LogTail({ id }: { id: string }) {
  const said = say.value;
  const lines = useSignal<readonly LogLine[]>([]);
  const paused = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const asking = useRef(false);
  const list = useRef<HTMLOListElement>(null);
  const look = useCallback(async () => {
    if (paused.peek() || asking.current) return;
    asking.current = true;
    try {
      const after = lines.peek().at(-1)?.seq;
      const limit = after === undefined ? firstLines : 200;
      const found = await get('/devices/{id}/logs', { id, after, limit });
      problem.value = null;
      if (found.rows.length > 0) lines.value = [...lines.peek(), ...found.rows].slice(-keptLines);
    } catch (error) {
      problem.value = error as Problem;
    } finally {
      asking.current = false;
    }
  }, [id, lines, paused, problem]);
  useEffect(() => void look(), [look]);
  useEvery(refreshMs, look);
  const shown = list.current;
  const atEnd = !shown || shown.scrollHeight - shown.scrollTop - shown.clientHeight < nearEndPixels;
  const newest = lines.value.at(-1)?.seq;
  useEffect(() => {
    if (atEnd) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [newest]);
  return (
    <section aria-labelledby="log">
      <h2 id="log">{said.log}</h2>
      <ProblemNotice problem={problem.value} again={() => void look()} />
      {lines.value.length === 0 ? (
        <p class="quiet">{said.noLog}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <ol class="device-tail mono" ref={list} tabIndex={0} aria-label={said.log}>
          {lines.value.map(line => (
            <li key={line.seq}>
              <time dateTime={new Date(line.received_at).toISOString()} title={moment(line.received_at)}>
                {whenOf(line.received_at)}
              </time>{' '}
              {line.clamped && <span class="warn">[{said.clampedTime}] </span>}
              {line.text}
              {line.truncated && <span class="quiet"> … ({said.cut})</span>}
            </li>
          ))}
        </ol>
      )}
      <p class="bar">
        <button
          type="button"
          class="act"
          onClick={() => {
            paused.value = !paused.value;
            void look();
          }}
        >
          {paused.value ? said.goOn : said.pause}
        </button>
      </p>
      <div role="status">{paused.value && <p class="quiet">{said.paused}</p>}</div>
    </section>
  );
}

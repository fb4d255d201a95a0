import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Passage } from '../../../../src/admin/ui/access.ts';
import { Problem } from '../../api.ts';
import { useDoing } from '../../parts/doing.ts';
import { moment } from '../../parts/numbers.ts';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { whoWords } from './who.ts';
import { said } from './words.ts';

/** Blurred until it is asked for; then fetched, shown from memory, and forgotten with the row. */
export function Photo({ passage }: { passage: Passage }) {
  const url = useSignal<string | null>(null);
  useEffect(() => () => void (url.peek() && URL.revokeObjectURL(url.peek()!)), [url]);
  const text = said.value;
  const { busy, refused, run } = useDoing(({ title, message }) =>
    title === 'no_photo' ? text.missing : title === 'damaged_photo' ? text.damaged : message,
  );
  if (!passage.photo) return null;
  if (!may('staff')) return <span class="quiet">{text.forStaff}</span>;
  const show = () =>
    run(async () => {
      url.value = URL.createObjectURL(await fetchPhoto(passage.id));
    });
  const hide = () => {
    URL.revokeObjectURL(url.value!);
    url.value = null;
  };
  if (refused.value !== null)
    return (
      <span class="bad" role="status">
        {refused}
      </span>
    );
  return (
    <span class="photo">
      {url.value === null ? (
        <span class="blurred" aria-hidden="true" />
      ) : (
        <img
          src={url.value}
          alt={text.shown(whoWords(passage), moment(passage.at * 1000))}
          onError={() => {
            hide();
            refused.value = text.damaged;
          }}
        />
      )}
      <button
        type="button"
        class="act"
        disabled={busy.value}
        onClick={() => (url.value === null ? void show() : hide())}
      >
        {url.value === null ? text.show : text.hide}
      </button>
    </span>
  );
}

async function fetchPhoto(id: number): Promise<Blob> {
  let answer: Response;
  try {
    answer = await fetch(`/admin/v1/access/${id}/photo`);
  } catch {
    throw new Problem(0, 'network', words.peek().problem.network);
  }
  if (answer.ok) return answer.blob();
  const problem = (await answer.json().catch(() => ({}))) as { title?: string; detail?: string };
  throw new Problem(answer.status, problem.title ?? '', problem.detail ?? answer.statusText);
}

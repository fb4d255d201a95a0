import { useSignal } from '@preact/signals';
import type { BundleReport, UpdateReport } from '../../../../src/admin/updates.ts';
import { type Problem, post } from '../../api.ts';
import { Field } from '../../parts/field.tsx';
import { bytes } from '../../parts/numbers.ts';
import { upload } from '../../upload.ts';
import { words } from './update-words.ts';

/** Where an update comes from: a file of the reader's, or a stick in the box. */
export function Sources({
  found,
  show,
  refused,
}: {
  found: UpdateReport['found'];
  show: (bundle: BundleReport) => void;
  refused: (problem: Problem | null) => void;
}) {
  const file = useSignal<File | null>(null);
  const sent = useSignal<number | null>(null);
  const said = words.value;
  const send = async (event: Event) => {
    event.preventDefault();
    const chosen = file.peek();
    if (!chosen) return;
    refused(null);
    sent.value = 0;
    try {
      show(
        await upload('/update/bundle', chosen, percent => {
          sent.value = percent;
        }),
      );
    } catch (error) {
      refused(error as Problem);
    } finally {
      sent.value = null;
    }
  };
  const look = async (path: string) => {
    refused(null);
    try {
      show(await post('/update/inspect', { file: path }));
    } catch (error) {
      refused(error as Problem);
    }
  };
  return (
    <section aria-labelledby="install">
      <h2 id="install">{said.install}</h2>
      <p>{said.lead}</p>
      <form onSubmit={send}>
        <div class="bar">
          <Field
            label={said.file}
            type="file"
            accept=".raucb"
            required
            disabled={sent.value !== null}
            onChange={event => {
              file.value = event.currentTarget.files?.[0] ?? null;
            }}
          />
          <button type="submit" class="act go" disabled={sent.value !== null}>
            {said.send}
          </button>
        </div>
      </form>
      {sent.value !== null && (
        <p>
          <progress max={100} value={sent.value} aria-label={said.file} /> {said.sending(sent.value)}
        </p>
      )}
      {found.length > 0 && (
        <>
          <h3>{said.found}</h3>
          <ul>
            {found.map(one => (
              <li key={one.file}>
                <span class="mono">{one.name || said.uploaded}</span> ({bytes(one.bytes)}){' '}
                <button type="button" class="act" onClick={() => look(one.file)}>
                  {said.look}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

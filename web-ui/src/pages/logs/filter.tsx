import type { TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso';
import { query as queryText } from '../../api.ts';
import { Field } from '../../parts/field.tsx';
import { SiteChoice } from '../../parts/site-choice.tsx';
import { atSite } from '../../parts/site-time.ts';
import { logWords } from './words.ts';

const fields = ['text', 'device_id', 'model', 'sn', 'from', 'to'] as const;
/** `box` is chosen, and takes effect at once. */
const chosen = [...fields, 'box'] as const;
type Filter = Partial<Record<(typeof chosen)[number], string>>;

/** The filter, as it is in the address. */
export const filterOf = (query: Readonly<Record<string, string>>): Filter =>
  Object.fromEntries(chosen.flatMap(name => (query[name] ? [[name, query[name]]] : [])));

/** The same as the admin API takes it: times in milliseconds. */
export const asked = ({ from, to, ...rest }: Filter): Record<string, string | number | null | undefined> => ({
  ...rest,
  from: from === undefined ? undefined : atSite(from),
  to: to === undefined ? undefined : atSite(to),
});

/** The fields above the logs; their values are kept in the page's address. */
export function FilterForm() {
  const { path, query, route } = useLocation();
  const said = logWords.value;
  const now = filterOf(query);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = Object.fromEntries(fields.map(name => [name, String(form.get(name) ?? '').trim()]));
    route(`${path}${queryText({ ...typed, box: now.box })}`);
  };
  const held = (name: keyof Filter, label: string) => ({ label, name, defaultValue: now[name] ?? '' });
  return (
    <form key={JSON.stringify(now)} class="bar logs-filter" aria-label={said.look} onSubmit={submit}>
      <Field type="search" {...held('text', said.contains)} />
      <SiteChoice value={now.box ?? ''} choose={box => route(`${path}${queryText({ ...now, box })}`)} />
      <Field type="search" {...held('device_id', said.deviceId)} />
      <Field type="search" {...held('model', said.model)} />
      <Field type="search" {...held('sn', said.sn)} />
      <Field type="datetime-local" {...held('from', said.from)} />
      <Field type="datetime-local" {...held('to', said.to)} />
      <button type="submit" class="act go">
        {said.look}
      </button>
      {Object.keys(now).length > 0 && (
        <button type="button" class="act" onClick={() => route(path)}>
          {said.clear}
        </button>
      )}
      <a
        class="act"
        href={`/admin/v1/export/logs${queryText(asked(now))}`}
        download="device-logs.ndjson"
        target="_blank"
        rel="noopener"
      >
        {said.download}
      </a>
    </form>
  );
}

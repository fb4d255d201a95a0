import type { TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso';
import { query as queryText } from '../../api.ts';
import { Field } from '../../parts/field.tsx';
import { atSite } from '../../parts/site-time.ts';
import { logWords } from './words.ts';

const fields = ['text', 'device_id', 'model', 'sn', 'from', 'to'] as const;
type Filter = Partial<Record<(typeof fields)[number], string>>;

/** What is looked for, as it stands in the address. */
export const filterOf = (query: Readonly<Record<string, string>>): Filter =>
  Object.fromEntries(fields.flatMap(name => (query[name] ? [[name, query[name]]] : [])));

/** The same as the admin API asks for it: times in milliseconds. */
export const asked = ({ from, to, ...rest }: Filter): Record<string, string | number | null | undefined> => ({
  ...rest,
  from: from === undefined ? undefined : atSite(from),
  to: to === undefined ? undefined : atSite(to),
});

/** The fields above the logs; what is written there goes into the address. */
export function FilterForm() {
  const { path, query, route } = useLocation();
  const said = logWords.value;
  const now = filterOf(query);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    route(`${path}${queryText(Object.fromEntries(fields.map(name => [name, String(form.get(name) ?? '').trim()])))}`);
  };
  const input = (name: keyof Filter, label: string, type: 'search' | 'datetime-local' = 'search') => (
    <Field label={label} name={name} type={type} key={`${name} ${now[name] ?? ''}`} defaultValue={now[name] ?? ''} />
  );
  return (
    <form class="bar" aria-label={said.look} onSubmit={submit}>
      {input('text', said.contains)}
      {input('device_id', said.deviceId)}
      {input('model', said.model)}
      {input('sn', said.sn)}
      {input('from', said.from, 'datetime-local')}
      {input('to', said.to, 'datetime-local')}
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

import { useLoaded } from '../../loaded.ts';
import { moment } from '../../parts/numbers.ts';
import { said } from './words.ts';

/** Deleted people of whom something is still held; hidden if there are none. */
export function Erasures() {
  const { loaded } = useLoaded('/erasures');
  const rows = loaded.value.data?.rows ?? [];
  const text = said.value;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="erasures">
      <h2 id="erasures">{text.erasures}</h2>
      <p class="quiet">{text.erasuresLead}</p>
      <ul>
        {rows.map(row => (
          <li key={`${row.ext_id} ${row.erased_at}`}>
            {text.erasure(row.ext_id, moment(row.erased_at), row.held_records)}{' '}
            {row.done_by === null ? text.afterCloud : text.goneBy(moment(row.done_by))}
          </li>
        ))}
      </ul>
    </section>
  );
}

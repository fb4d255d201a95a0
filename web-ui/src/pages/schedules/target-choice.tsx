import { useSignal } from '@preact/signals';
import { useLoaded } from '../../loaded.ts';
import { inTreeOrder } from '../../parts/departments.tsx';
import { Choice } from '../../parts/field.tsx';
import { Search } from '../../parts/search.tsx';
import { said, type Target } from './words.ts';

/** Field of a form for the target of a plan. */
export function TargetChoice({ initial, name }: { initial: Target; name: string }) {
  const kind = useSignal(initial.kind);
  const { loaded } = useLoaded('/departments');
  const text = said.value;
  return (
    <>
      <Choice
        label={text.who}
        name="target_kind"
        value={kind.value}
        onChange={event => (kind.value = event.currentTarget.value as Target['kind'])}
      >
        {(['site', 'department', 'person'] as const).map(one => (
          <option key={one} value={one} selected={one === kind.value}>
            {text.targets[one]}
          </option>
        ))}
      </Choice>
      {kind.value === 'department' && (
        <Choice label={text.targets.department} name="department" required>
          {inTreeOrder(loaded.value.data?.departments ?? [])
            .filter(({ one }) => one.ext_id !== '')
            .map(({ one, depth }) => (
              <option key={one.id} value={one.ext_id} selected={one.ext_id === initial.ext_id}>
                {`${'\u2003'.repeat(depth)}${one.name}`}
              </option>
            ))}
        </Choice>
      )}
      {kind.value === 'person' && (
        <PersonChoice initial={initial.kind === 'person' ? { ext_id: initial.ext_id, name } : null} />
      )}
    </>
  );
}

/** As the form has it. */
export const targetIn = (form: FormData): Target => {
  const kind = form.get('target_kind');
  if (kind === 'department' || kind === 'person') return { kind, ext_id: String(form.get(kind) ?? '') };
  return { kind: 'site', ext_id: '' };
};

/** A person, found by name or number. */
export function PersonChoice({ initial }: { initial: { readonly ext_id: string; readonly name: string } | null }) {
  const wanted = useSignal('');
  const { loaded } = useLoaded('/people', { search: wanted.value, employed: 'now', limit: 20 });
  const text = said.value;
  const found = (loaded.value.data?.rows ?? []).filter(({ ext_id }) => ext_id !== '');
  const isAmong = initial === null || found.some(({ ext_id }) => ext_id === initial.ext_id);
  return (
    <div class="pair">
      <Search label={text.findPerson} value="" search={to => (wanted.value = to.trim())} />
      <Choice label={text.targets.person} name="person" required>
        {initial === null && wanted.value === '' && <option value="">{text.choosePerson}</option>}
        {!isAmong && initial && wanted.value === '' && (
          <option value={initial.ext_id} selected>
            {initial.name || initial.ext_id}
          </option>
        )}
        {found.map(({ ext_id, name, employee_num }) => (
          <option key={ext_id} value={ext_id} selected={ext_id === initial?.ext_id}>
            {[name, employee_num].filter(Boolean).join(' · ')}
          </option>
        ))}
      </Choice>
    </div>
  );
}

import { atMostCharacters, attendanceLimits } from '../platform/attendance.ts';
import { foldedNumber } from '../platform/folded-number.ts';
import type { SiteData } from '../store/index.ts';
import { listErrors } from '../words/lists.ts';
import type { Reason } from '../words/sentences.ts';

interface Department {
  readonly extId: string;
  readonly name: string;
  /** The parent; null for the root. */
  readonly above: Department | null;
}

type Found = { readonly ok: true; readonly extId: string } | { readonly ok: false; readonly why: Reason };
type DepartmentItem = NonNullable<SiteData['departments']>[number];

const rootId = '0';
const { nameCharactersMax, extIdCharactersMax } = attendanceLimits;
const keyOf = (name: string): string => foldedNumber(name).replace(/\s+/g, ' ').toLowerCase();

/**
 * The departments of the box as a list names them: by name, by path or by id. One that is not there
 * is made, under the deepest one of its path that is.
 */
export class DepartmentNames {
  readonly #byId = new Map<string, Department>();
  readonly #byName = new Map<string, Department[]>();
  readonly #made: Department[] = [];
  /** By what rows called them: a list names few departments many times. */
  readonly #found = new Map<string, Found>();
  readonly #root: Department;
  /** For people of no department. A root that was given another id is the only one at the top. */
  readonly topId: string;

  constructor(held: readonly DepartmentItem[]) {
    const items = new Map(held.map(item => [item.ext_id, item]));
    this.#root = this.#add({ extId: rootId, name: items.get(rootId)?.name ?? '', above: null });
    const place = (extId: string): Department => {
      const { name, p_ext_id: parent = '' } = items.get(extId)!;
      const above = items.has(parent) ? parent : rootId;
      return this.#byId.get(extId) ?? this.#add({ extId, name, above: this.#byId.get(above) ?? place(above) });
    };
    for (const { ext_id } of held) place(ext_id);
    const tops = held.filter(({ ext_id, p_ext_id = '' }) => ext_id !== rootId && !items.has(p_ext_id));
    this.topId = !items.has(rootId) && tops.length === 1 ? tops[0]!.ext_id : rootId;
  }

  get madeCount(): number {
    return this.#made.length;
  }

  /** Those that were made, parents first. */
  get made(): readonly { readonly item: DepartmentItem; readonly path: string }[] {
    return this.#made.map(one => ({
      item: { ext_id: one.extId, name: one.name, ...(one.above === this.#root ? {} : { p_ext_id: one.above!.extId }) },
      path: this.#path(one),
    }));
  }

  /** `extId`: of the department to be made, where the list has a column for ids. */
  find(called: string, extId = ''): Found {
    const key = `${extId}\n${called}`;
    const found = this.#found.get(key) ?? this.#find(called, extId);
    this.#found.set(key, found);
    return found;
  }

  #find(called: string, extId: string): Found {
    const known = this.#byId.get(extId);
    if (known) return { ok: true, extId };
    if (extId === '') {
      const named = this.#byName.get(keyOf(called)) ?? [];
      if (named.length === 1) return { ok: true, extId: named[0]!.extId };
      if (this.#byId.has(called)) return { ok: true, extId: called };
      if (named.length > 1) return this.#several(named);
    }
    const parts = called
      .split(/[/\\>\uff0f\uff1e\u2192]/)
      .map(part => part.trim())
      .filter(part => part !== '');
    if (parts.length === 0 || parts.some(part => !atMostCharacters(part, nameCharactersMax)))
      return { ok: false, why: listErrors.say('too_many_characters', { max: nameCharactersMax }) };
    return this.#place(parts, extId);
  }

  #place(parts: readonly string[], newId: string): Found {
    const named = newId === '' ? this.#under(parts) : [];
    if (named.length === 1) return { ok: true, extId: named[0]!.extId };
    if (named.length > 1) return this.#several(named);
    const parent =
      parts.length === 1 ? { ok: true as const, extId: this.#root.extId } : this.#place(parts.slice(0, -1), '');
    if (!parent.ok) return parent;
    const name = parts.at(-1)!;
    const made = this.#add({ extId: newId || this.#freeId(name), name, above: this.#byId.get(parent.extId)! });
    this.#made.push(made);
    return { ok: true, extId: made.extId };
  }

  /** Departments whose path ends with these names; of several, the one whose path is just these. */
  #under(parts: readonly string[]): readonly Department[] {
    const found = (this.#byName.get(keyOf(parts.at(-1)!)) ?? []).filter(one => {
      let above: Department | null = one;
      for (const part of parts.toReversed()) {
        if (!above || keyOf(above.name) !== keyOf(part)) return false;
        above = above.above;
      }
      return true;
    });
    const whole = found.filter(one => this.#names(one).length === parts.length);
    return whole.length === 1 ? whole : found;
  }

  /** The name itself, so that lists can be read; with a number where it is taken. */
  #freeId(name: string): string {
    const base = foldedNumber(name);
    for (let count = 1; ; count++) {
      const end = count === 1 ? '' : `-${count}`;
      const id = `${[...base].slice(0, extIdCharactersMax - end.length).join('')}${end}`;
      if (!this.#byId.has(id)) return id;
    }
  }

  #add(one: Department): Department {
    this.#byId.set(one.extId, one);
    const key = keyOf(one.name);
    if (key !== '') this.#byName.set(key, [...(this.#byName.get(key) ?? []), one]);
    return one;
  }

  #several(found: readonly Department[]): Found {
    const paths = found.slice(0, 3).map(one => this.#path(one));
    return { ok: false, why: listErrors.say('several_departments', { paths: paths.join(', ') }) };
  }

  #path(one: Department): string {
    return this.#names(one).join(' / ');
  }

  /** Without the root. */
  #names({ name, above }: Department): string[] {
    return above === null ? [] : [...this.#names(above), name];
  }
}

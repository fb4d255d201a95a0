import { isDeepStrictEqual } from 'node:util';
import type { DateText } from '../../platform/shifts.ts';
import type { OperationContext } from '../domain.ts';
import type { StoreWrites } from '../port/store.ts';
import type { Item, MovePath, Section, SiteChange, SiteData } from './data.ts';
import { losesLastAdmin, sections, users } from './sections.ts';

/**
 * Upserts what the site file lists; fields that it does not name are left alone, so that a key
 * issued here stays. With `prune`, in each section that the file has, items that it does not list
 * are removed. A dry run returns the plan that a real run would carry out. `last_admin`: nothing of
 * it was written, since nobody could manage the box afterwards. `notYet`: nor was it, since these
 * moves lie after the site's date.
 */
export function applySite(
  context: OperationContext,
  { site, prune, dryRun, at }: Parameters<StoreWrites['applySite']>[0],
): SiteChange[] | 'last_admin' | { readonly notYet: MovePath[] } {
  const today = context.dateOf(at);
  const notYet = movesToCome(site, today);
  if (notYet.length > 0) return { notYet };
  if (site.users && losesLastAdmin(users.read(context), site.users, prune)) return 'last_admin';
  const changes: SiteChange[] = [];
  const removals: (() => void)[] = [];
  for (const section of sections) {
    const listed = site[section.name] as readonly Item[] | undefined;
    if (!listed) continue;
    const present = new Map(section.read(context).map(item => [section.key(item), item]));
    for (const said of section.inOrder?.(listed, [...present.values()]) ?? listed) {
      const listedItem = section.compared?.(said) ?? said;
      const key = section.key(listedItem);
      const before = present.get(key);
      const item = (before && section.after?.(listedItem, before)) ?? listedItem;
      const fields = before ? changedFields(section, before, item) : [];
      if (before && fields.length === 0) continue;
      changes.push({ action: before ? 'change' : 'add', section: section.name, key, fields });
      if (!dryRun)
        section.write(context, { ...section.defaults, ...before, ...defined(item) }, { at, today, said: item });
    }
    if (!prune) continue;
    const kept = new Set(listed.map(item => section.key(item)));
    for (const key of present.keys()) {
      if (kept.has(key)) continue;
      changes.push({ action: 'remove', section: section.name, key, fields: [] });
      if (!dryRun) removals.unshift(() => section.remove(context, key));
    }
  }
  for (const remove of removals) remove();
  return changes;
}

const moveDates = { departments: 'parent_since', employees: 'department_since' } as const;

/** Where the file dates a move after today. */
const movesToCome = (site: SiteData, today: DateText): MovePath[] =>
  (['departments', 'employees'] as const).flatMap(section =>
    ((site[section] ?? []) as readonly Item[]).flatMap((item, index): MovePath[] => {
      const field = moveDates[section];
      return String(item[field] ?? '') > today ? [[section, index, field]] : [];
    }),
  );

const defined = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

const empty = (value: unknown): boolean => value === undefined || value === null || value === '' || value === false;

/** A department without a title is one with an empty title. */
const withoutEmpty = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, inner]) => !empty(inner)))
    : value;

function changedFields(section: Section, before: Item, item: Item): string[] {
  return Object.entries(defined(item))
    .filter(([field, value]) => {
      const old = before[field];
      if (empty(value) && empty(old)) return false;
      if (section.key({ [field]: value }) === section.key(before)) return false;
      return !isDeepStrictEqual(withoutEmpty(value), withoutEmpty(old));
    })
    .map(([field]) => field);
}

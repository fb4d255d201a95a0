import { exampleKeys } from '../platform/example-keys.ts';
import type { SiteStints } from '../platform/stints.ts';
import { planErrors } from '../words/plans.ts';
import type { GivenReason } from '../words/sentences.ts';
import type { PathStep } from './complaint.ts';
import { type PlansAfter, planProblems } from './site-plan-rules.ts';
import { isSiteSecret, type SiteFile, type SiteSection } from './site-schema.ts';

/** One problem in a site file, with its path. */
export interface SiteProblem extends GivenReason {
  readonly path: readonly PathStep[];
}

type Item = Record<string, unknown>;
type Held = { readonly [Section in SiteSection]?: readonly object[] | undefined };

/** The keys that identify an entry of a section. */
const keyOf: { readonly [Section in SiteSection]: (item: Item) => string } = {
  products: item => upper(item.product_id),
  devices: item => upper(item.device_id),
  apps: item => String(item.app_id),
  boxes: item => upper(item.box_id),
  attendance_callers: item => String(item.app_key),
  oauth_clients: item => String(item.client_id),
  users: item => String(item.name),
  departments: item => String(item.ext_id),
  employees: item => String(item.ext_id),
  shifts: item => `${item.code} from ${item.from ?? ''}`,
  schedules: item => `${JSON.stringify(item.who)} from ${item.from}`,
  calendar: item => `${item.date} ${JSON.stringify(item.who ?? 'site')}`,
  app_upgrades: item => `${item.app_code} ${item.version}`,
  message_templates: item => String(item.template),
};

const keyField: { readonly [Section in SiteSection]: string } = {
  products: 'product_id',
  devices: 'device_id',
  apps: 'app_id',
  boxes: 'box_id',
  attendance_callers: 'app_key',
  oauth_clients: 'client_id',
  users: 'name',
  departments: 'ext_id',
  employees: 'ext_id',
  shifts: 'code',
  schedules: 'from',
  calendar: 'date',
  app_upgrades: 'version',
  message_templates: 'template',
};

/** The keys that a new entry must have. */
const neededAtFirst: { readonly [Section in SiteSection]?: string } = {
  products: 'product_key',
  apps: 'app_key',
  attendance_callers: 'app_secret',
  oauth_clients: 'client_secret',
};

const upper = (value: unknown): string => String(value).toUpperCase();

/**
 * Checks what the schema cannot: duplicate entries, references to what neither the file nor the box
 * has, missing secrets of new entries, circles of departments and, in production, example keys.
 * `held`: what the box has; null: unknown, so only the file itself is checked.
 */
export function siteProblems(
  site: SiteFile,
  held: Held | null,
  { prune, production }: { prune: boolean; production: boolean },
): SiteProblem[] {
  return [
    ...namedTwice(site),
    ...references(site, held, prune),
    ...placedTwice(site),
    ...circles(site, held),
    ...idleFlows(site, held),
    ...planProblems(site, plansAfter(site, held, prune)),
    ...(held ? missingSecrets(site, held) : []),
    ...publicClients(site, held),
    ...(production ? exampleSecrets(site) : []),
  ];
}

const sectionsOf = (site: SiteFile): [SiteSection, Item[]][] =>
  (Object.keys(keyOf) as SiteSection[]).flatMap((name): [SiteSection, Item[]][] => {
    const items = site[name];
    return items ? [[name, items as Item[]]] : [];
  });

function* namedTwice(site: SiteFile): Generator<SiteProblem> {
  for (const [section, items] of sectionsOf(site)) {
    const seen = new Map<string, number>();
    for (const [index, item] of items.entries()) {
      const key = keyOf[section](item);
      const first = seen.get(key);
      if (first !== undefined)
        yield {
          path: [section, index, keyField[section]],
          ...planErrors.say('named_twice', { section, place: first }),
        };
      else seen.set(key, index);
    }
  }
}

/** How a device's network is configured, of a product whose devices have none to configure. */
function* idleFlows(site: SiteFile, held: Held | null): Generator<SiteProblem> {
  const known = new Map(held?.products?.map(item => [keyOf.products(item as Item), item as Item]));
  for (const [index, item] of (site.products ?? []).entries()) {
    const whole = { ...known.get(keyOf.products(item)), ...item };
    if (whole.network_configuration !== 'none' || !whole.network_configuration_flow) continue;
    const field = item.network_configuration_flow ? 'network_configuration_flow' : 'network_configuration';
    yield {
      path: ['products', index, field],
      reason:
        'network_configuration: none has no flow: write bluetooth, hotspot or both, or network_configuration_flow: ""',
    };
  }
}

/** A device belongs to at most one box. */
function* placedTwice(site: SiteFile): Generator<SiteProblem> {
  const seen = new Map<string, string>();
  for (const [index, { box_id, devices }] of (site.boxes ?? []).entries())
    for (const [place, deviceId] of (devices ?? []).entries()) {
      const first = seen.get(upper(deviceId));
      if (first !== undefined)
        yield {
          path: ['boxes', index, 'devices', place],
          reason: `listed behind ${first} already: a device stands behind one box`,
        };
      else seen.set(upper(deviceId), upper(box_id));
    }
}

/** The keys that a section will have after the file is applied. */
function keysAfter(section: SiteSection, site: SiteFile, held: Held, prune: boolean): Set<string> {
  const listed = (site[section] ?? []) as Item[];
  const staying = prune && site[section] ? [] : ((held[section] ?? []) as Item[]);
  return new Set([...listed, ...staying].map(keyOf[section]));
}

function* references(site: SiteFile, held: Held | null, prune: boolean): Generator<SiteProblem> {
  const unknowable = (section: SiteSection) => held === null && site[section] === undefined;
  if (!unknowable('products')) {
    const products = keysAfter('products', site, held ?? {}, prune);
    for (const [index, { device_id }] of (site.devices ?? []).entries()) {
      const product = upper(device_id.slice(0, device_id.indexOf('_')));
      if (!products.has(product))
        yield { path: ['devices', index, 'device_id'], reason: `no such product: add ${product} under products` };
    }
    for (const [index, { devices }] of (site.boxes ?? []).entries())
      for (const [place, deviceId] of (devices ?? []).entries()) {
        const product = upper(deviceId.slice(0, deviceId.indexOf('_')));
        if (!products.has(product))
          yield { path: ['boxes', index, 'devices', place], reason: `no such product: add ${product} under products` };
      }
  }
  if (unknowable('departments')) return;
  // The root of the organization exists before any file names it (SPEC 2.14).
  const departments = keysAfter('departments', site, held ?? {}, prune).add('0');
  for (const [index, { p_ext_id }] of (site.departments ?? []).entries())
    if (p_ext_id !== undefined && !departments.has(p_ext_id))
      yield { path: ['departments', index, 'p_ext_id'], ...planErrors.say('no_such_department') };
  for (const [index, { department }] of (site.employees ?? []).entries())
    if (!departments.has(department.ext_id))
      yield { path: ['employees', index, 'department', 'ext_id'], ...planErrors.say('no_such_department') };
}

/** Nothing is known of a section that the file does not have, unless the box was asked. */
function plansAfter(site: SiteFile, held: Held | null, prune: boolean): PlansAfter {
  const known = (section: SiteSection): ReadonlySet<string> | null =>
    held === null && site[section] === undefined ? null : keysAfter(section, site, held ?? {}, prune);
  const staying = (section: 'shifts' | 'schedules'): Item[] => {
    const listed = new Set(((site[section] ?? []) as Item[]).map(keyOf[section]));
    const kept = prune && site[section] ? [] : ((held?.[section] ?? []) as Item[]);
    return kept.filter(item => !listed.has(keyOf[section](item)));
  };
  const isUnknown = held === null && site.shifts === undefined;
  const departments = known('departments');
  return {
    shifts: isUnknown ? null : ([...(site.shifts ?? []), ...staying('shifts')] as NonNullable<SiteFile['shifts']>),
    otherSchedules: staying('schedules') as NonNullable<SiteFile['schedules']>,
    departments: departments && new Set([...departments, '0']),
    people: known('employees'),
    employed: new Map(((held?.employees ?? []) as Item[]).map(item => [keyOf.employees(item), item as SiteStints])),
  };
}

function* circles(site: SiteFile, held: Held | null): Generator<SiteProblem> {
  const parents = new Map<string, string | undefined>();
  for (const item of [...((held?.departments ?? []) as Item[]), ...((site.departments ?? []) as Item[])])
    parents.set(String(item.ext_id), item.p_ext_id === undefined ? undefined : String(item.p_ext_id));
  for (const [index, { ext_id }] of (site.departments ?? []).entries()) {
    const seen = new Set<string>();
    for (let above = parents.get(ext_id); above !== undefined && !seen.has(above); above = parents.get(above)) {
      seen.add(above);
      if (above !== ext_id) continue;
      yield { path: ['departments', index, 'p_ext_id'], ...planErrors.say('department_under_itself') };
      break;
    }
  }
}

function* missingSecrets(site: SiteFile, held: Held): Generator<SiteProblem> {
  for (const [section, items] of sectionsOf(site)) {
    const field = neededAtFirst[section];
    const there = new Set(((held[section] ?? []) as Item[]).map(keyOf[section]));
    for (const [index, item] of items.entries())
      if (field !== undefined && item[field] === undefined && !there.has(keyOf[section](item)) && item.public !== true)
        yield {
          path: [section, index, field],
          reason: 'missing: the box does not hold this entry yet, and it needs its key',
        };
  }
}

/**
 * An app that can keep no secret has none (RFC 6749 2.1); one that had none needs one when it is
 * public no more.
 */
function* publicClients(site: SiteFile, held: Held | null): Generator<SiteProblem> {
  const before = new Map(((held?.oauth_clients ?? []) as Item[]).map(item => [String(item.client_id), item]));
  for (const [index, item] of (site.oauth_clients ?? []).entries()) {
    const isPublicHere = before.get(item.client_id)?.public === true;
    const willBePublic = item.public ?? isPublicHere;
    if (willBePublic && item.client_secret !== undefined)
      yield {
        path: ['oauth_clients', index, 'client_secret'],
        reason: 'the client is public, and has no secret: remove the key, or write public: false',
      };
    if (isPublicHere && item.public === false && item.client_secret === undefined)
      yield {
        path: ['oauth_clients', index, 'public'],
        reason: 'the client has no secret yet: add its client_secret',
      };
  }
}

function* exampleSecrets(site: SiteFile): Generator<SiteProblem> {
  for (const [section, items] of sectionsOf(site))
    for (const [index, item] of items.entries())
      for (const [field, value] of Object.entries(item))
        if (isSiteSecret([section, index, field]) && exampleKeys.has(String(value)))
          yield {
            path: [section, index, field],
            reason:
              'an example key of the demo or the manual, which environment production refuses: make one of your own',
          };
}

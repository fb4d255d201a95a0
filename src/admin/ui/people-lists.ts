import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import type { UiParts } from './parts.ts';
import {
  answers,
  deviceWords,
  extIdText,
  type PersonFacts,
  pageQuery,
  personCursor,
  personFacts,
  personPlaceOf,
  scopeOf,
  scopeQuery,
} from './people-shapes.ts';

export interface DepartmentFacts {
  readonly id: number;
  /** Null: the root. */
  readonly parent: number | null;
  /** Empty: has none yet. */
  readonly ext_id: string;
  readonly name: string;
  readonly people: number;
  /** With the departments below. */
  readonly people_below: number;
}

export interface OrganizationReport {
  /** Whose word on the organization counts. */
  readonly authority: 'cloud' | 'box';
  readonly departments: readonly DepartmentFacts[];
  /** There are more than are listed. */
  readonly cut: boolean;
}

export interface ListedPerson extends PersonFacts {
  readonly features: readonly string[];
  /** A terminal could not recognize one. */
  readonly abnormal: boolean;
}

export interface PersonReport extends PersonFacts {
  /** How many check-ins go when the person is deleted. */
  readonly checkins: number;
  readonly feature_kinds: number;
}

export interface FeatureReport {
  readonly type: string;
  readonly algorithm: string;
  readonly stored_at: number;
  /** Empty: it came from a caller of the attendance API. */
  readonly device: string;
  readonly values: readonly { readonly length: number; readonly abnormal: boolean }[];
  readonly damaged: boolean;
}

const departmentsMax = 2000;

const departmentsRoute = createRoute({
  method: 'get',
  path: '/departments',
  summary: `The departments, at most ${departmentsMax}, and who is their authority`,
  responses: answers('The organization'),
});
const peopleRoute = createRoute({
  method: 'get',
  path: '/people',
  summary: 'Employees by department, with the kinds of features that are stored of each',
  request: { query: z.object({ ...scopeQuery, ...pageQuery(50) }) },
  responses: answers('The page'),
});
const personRoute = createRoute({
  method: 'get',
  path: '/people/{ext_id}',
  summary: 'One employee, and what goes when the employee is deleted',
  request: { params: z.object({ ext_id: extIdText }) },
  responses: answers('The employee'),
});
const featuresRoute = createRoute({
  method: 'get',
  path: '/people/{ext_id}/features',
  summary:
    'What is stored of a person’s features: kind, length, state; for the role staff, and every look is written down',
  request: { params: z.object({ ext_id: extIdText }) },
  responses: answers('The features; never their values'),
});

/** The organization as the pages list it. */
export function peopleUiRoutes(
  app: OpenAPIHono<AdminEnvironment>,
  { store, config, attendance, upstream }: UiParts,
): void {
  const siteName = config.site.name;

  app.openapi(departmentsRoute, async context => {
    const rows = await store.read.departmentTree(departmentsMax + 1);
    const listed = rows.slice(0, departmentsMax);
    const parents = new Map(listed.map(({ id, parentId }) => [id, parentId]));
    const below = new Map<number, number>();
    for (const { id, people } of listed)
      for (let at: number | null | undefined = id, steps = 0; at != null && steps < 100; at = parents.get(at), steps++)
        below.set(at, (below.get(at) ?? 0) + people);
    const departments = listed.map(
      ({ id, parentId, extId, name, people }): DepartmentFacts => ({
        id,
        parent: parentId,
        ext_id: extId,
        name: name || siteName,
        people,
        people_below: below.get(id) ?? 0,
      }),
    );
    const { authority } = attendance.status();
    return context.json(
      { authority, departments, cut: rows.length > departmentsMax } satisfies OrganizationReport,
      200,
    );
  });

  app.openapi(peopleRoute, async context => {
    const { cursor, limit, ...query } = context.req.valid('query');
    const found = await store.read.people({ ...scopeOf(query), after: personPlaceOf(cursor), limit });
    const marks = await store.read.featureMarks(found.flatMap(({ extId }) => (extId === '' ? [] : [extId])));
    const rows = found.map((row): ListedPerson => {
      const { types, abnormal } = marks.get(row.extId) ?? { types: [], abnormal: false };
      return { ...personFacts(row, siteName, context.get('caller').role), features: types, abnormal };
    });
    return context.json({ rows, cursor: personCursor(found, limit) }, 200);
  });

  app.openapi(personRoute, async context => {
    const found = await store.read.person(context.req.valid('param').ext_id);
    if (!found) return problem(context, 404, 'unknown', 'nobody has this id') as never;
    const { checkins, featureKinds } = found;
    return context.json(
      {
        ...personFacts(found, siteName, context.get('caller').role),
        checkins,
        feature_kinds: featureKinds,
      } satisfies PersonReport,
      200,
    );
  });

  app.openapi(featuresRoute, async context => {
    const { ext_id: extId } = context.req.valid('param');
    if (context.get('caller').role === 'viewer') {
      context.set('subject', `features of ${extId}`);
      return problem(context, 403, 'Not allowed', 'this needs the role staff') as never;
    }
    if (!(await store.read.person(extId))) return problem(context, 404, 'unknown', 'nobody has this id') as never;
    context.set('subject', `features of ${extId}`);
    const rows = (await store.read.featureFacts(extId)).map(
      ({ featureType, featureAlg, storedAt, deviceNo, values, damaged }): FeatureReport => ({
        type: featureType,
        algorithm: featureAlg,
        stored_at: storedAt,
        device: deviceNo === null ? '' : deviceWords(store.directory, deviceNo).device,
        values: values.map(({ length, isAbnormal }) => ({ length, abnormal: isAbnormal })),
        damaged,
      }),
    );
    const stayHere = upstream.standsAlone || config.features.upstream === 'off';
    return context.json({ rows, cursor: null, stay_here: stayHere }, 200);
  });
}

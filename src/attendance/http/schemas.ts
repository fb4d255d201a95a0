import { z } from '@hono/zod-openapi';
import { atMostCharacters, attendanceLimits as bounds } from '../../platform/attendance.ts';
import { hasDirectionControl } from '../../platform/folded-number.ts';
import { featureTypes } from '../../platform/reports.ts';
import { described } from '../../words/described.ts';
import { listErrors } from '../../words/lists.ts';

/**
 * Bodies of the attendance API (SPEC 4.8): what they must be, in the words of a 106, and for
 * /openapi.json. Lengths count characters, not bytes.
 */

const missing = 'is missing';
/** For a field that is invalid, as opposed to missing. */
const must = (be: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? missing : `must be ${be}`),
});

const text = (max: number) =>
  z
    .string(must('text'))
    .refine(value => value.isWellFormed() && !value.includes('\0'), { error: 'has a character that is none' })
    .refine(value => atMostCharacters(value, max), { error: `at most ${max} characters` })
    .openapi({ maxLength: max });
/** Clients send numbers where SPEC has text: `12` is read as `"12"`. */
const orNumber = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    value => (typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value),
    schema,
  ) as unknown as Schema;
const named = (max: number) =>
  text(max).refine(value => !hasDirectionControl(value), { error: listErrors.say('turns_direction').reason });
const filled = (max: number) => text(max).refine(value => value !== '', { error: 'is empty' });
/** Clients send ids and places as numbers or as digits. */
const whole = (least: number, most: number, be: string) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,16}$/, { error: `must be ${be}` })], must(be))
    .transform(Number)
    .refine(value => Number.isSafeInteger(value) && value >= least && value <= most, { error: `must be ${be}` })
    .openapi({ type: 'integer', minimum: least });
const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(value => value ?? undefined, schema.optional()) as unknown as z.ZodOptional<Schema>;

const extId = filled(bounds.extIdCharactersMax);
const id = orNumber(filled(64));

export const page = z.object({
  limit: orAbsent(whole(1, bounds.limitMax, `a whole number from 1 to ${bounds.limitMax}`)),
  offset: orAbsent(whole(0, Number.MAX_SAFE_INTEGER, 'a whole number from 0 on')),
});

export const departmentExtId = z.object({ department_ext_id: extId });
export const departmentBody = z.object({
  department_ext_id: extId,
  name: named(bounds.nameCharactersMax).refine(value => value !== '', { error: 'is empty' }),
  p_ext_id: orAbsent(text(bounds.extIdCharactersMax)),
});
export const extBody = z.object({ id, ext_id: extId });

const departmentInfos = z
  .array(
    z.object(
      { ext_id: extId, title: orAbsent(named(bounds.titleCharactersMax)) },
      must('an object with ext_id and title'),
    ),
    must('a list of one department'),
  )
  .length(1, { error: 'an employee has exactly one department' });

export const employeeExtId = z.object({ employee_ext_id: extId });
export const employeeBody = z.object({
  employee_ext_id: extId,
  name: orAbsent(named(bounds.nameCharactersMax).refine(value => value !== '', { error: 'is empty' })),
  mobile: orAbsent(orNumber(text(bounds.mobileCharactersMax))),
  employee_num: orAbsent(orNumber(text(bounds.employeeNumCharactersMax))),
  department_infos: orAbsent(departmentInfos),
});

export const anything = z.object({});

/** A negative one is where nobody has begun. */
const nextId = orAbsent(
  z.preprocess(
    value => (/^-\d{1,16}$/.test(String(value)) ? 0 : value),
    whole(0, Number.MAX_SAFE_INTEGER, 'a next_id that was answered before, or 0'),
  ),
);
const pageSize = orAbsent(whole(1, Number.MAX_SAFE_INTEGER, 'a whole number from 1 on'));
/** An addition to SPEC: no client of the cloud sends it. */
const boxId = orAbsent(
  orNumber(filled(64)).describe(
    described(
      'Only what the devices of the box below with this id reported; here: those of no box below. Absent: all',
      '仅属于该编号下级网关的设备上报的记录；here：不属于任何下级网关的设备；省略：全部',
    ),
  ),
);
export const checkInQuery = z.object({ next_id: nextId, page_size: pageSize, box_id: boxId });
export const accessQuery = z.object({
  next_id: nextId,
  page_size: pageSize,
  pass_only: orAbsent(z.boolean(must('true or false'))),
  box_id: boxId,
});

const featureType = z.enum(featureTypes, must(`one of ${featureTypes.join(', ')}`));
const featureAlg = text(64);
export const featureUpdate = z.object({
  users: z
    .array(
      z.object(
        {
          ext_id: extId,
          feature_type: featureType,
          feature_alg: featureAlg,
          feature_value: z
            .array(z.string(must('text')), must('a list of texts'))
            .max(bounds.featureValuesMax, { error: `at most ${bounds.featureValuesMax} values` }),
        },
        must('an object'),
      ),
      must('a list'),
    )
    .max(bounds.usersMax, { error: `at most ${bounds.usersMax} users in one call` }),
});
export const featureQuery = z.object({ user_ext_id: extId, feature_type: featureType, feature_alg: featureAlg });

/** The first thing wrong, as `name: at most 30 characters`. */
export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).reduce<string>(
    (before, step) =>
      typeof step === 'number' ? `${before}[${step}]` : before === '' ? String(step) : `${before}.${String(step)}`,
    '',
  );
  return path === '' ? (issue?.message ?? 'cannot be read') : `${path}: ${issue?.message}`;
}

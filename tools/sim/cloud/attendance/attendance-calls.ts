import { attendanceLimits as bounds } from '../../../../src/platform/attendance.ts';
import { featureTypes } from '../../../../src/platform/reports.ts';
import type { SimFeatures } from './features.ts';
import { type Body, filledIn, objectsIn, oneOfIn, textIn, textsIn, wholeIn, yesNoIn } from './fields.ts';
import type { SimOrganization } from './organization.ts';
import type { Call } from './organization-calls.ts';
import type { SimRecords } from './records.ts';
import { Refused } from './refused.ts';

const algCharactersMax = 64;
const largest = Number.MAX_SAFE_INTEGER;

const nextIdIn = (body: Body) => Math.max(0, wholeIn(body, 'next_id', -largest, largest) ?? 0);
const sizeIn = (body: Body) =>
  Math.min(bounds.pageSizeMax, wholeIn(body, 'page_size', 1, largest) ?? bounds.pageSizeDefault);

/** The five commands of `/v2.0/cloudappapi` (SPEC 4.8), by Api-Cmd. */
export const attendanceCalls = (
  organization: SimOrganization,
  records: SimRecords,
  features: SimFeatures,
): ReadonlyMap<string, Call> =>
  new Map<string, Call>([
    [
      'checkin_query_init',
      () => {
        records.initialize();
        return undefined;
      },
    ],
    ['checkin_query', body => records.checkInPage(nextIdIn(body), sizeIn(body))],
    ['checkin_acs_query', body => records.accessPage(nextIdIn(body), sizeIn(body), yesNoIn(body, 'pass_only') ?? true)],
    [
      'feature_update',
      body => {
        const users = objectsIn(body, 'users');
        if (!users) throw new Refused('bad_body', 'users: is missing');
        if (users.length > bounds.usersMax) throw new Refused('bad_body', `users: at most ${bounds.usersMax}`);
        const read = users.map(user => ({
          extId: filledIn(user, 'ext_id', bounds.extIdCharactersMax),
          type: oneOfIn(user, 'feature_type', featureTypes),
          alg: algIn(user),
          values: textsIn(user, 'feature_value'),
        }));
        const failed = read.filter(({ extId, type, alg, values }) => {
          const person = organization.employeeByExtId(extId);
          if (!person || values.some(value => !isPlain(value, alg))) return true;
          features.put(person.id, type, alg, values);
          return false;
        });
        return { error_ext_ids: failed.map(({ extId }) => extId) };
      },
    ],
    [
      'checkin_feature_query',
      body => {
        const person = organization.employeeByExtId(filledIn(body, 'user_ext_id', bounds.extIdCharactersMax));
        const type = oneOfIn(body, 'feature_type', featureTypes);
        const alg = algIn(body);
        if (!person) throw new Refused('unknown_id', 'user_ext_id: no employee has this external id');
        return { features: features.find(person.id, type, alg) };
      },
    ],
  ]);

function algIn(body: Body): string {
  const alg = textIn(body, 'feature_alg', algCharactersMax);
  if (alg === undefined) throw new Refused('bad_body', 'feature_alg: is missing');
  return alg;
}

/** SPEC 4.8: base64 without the data-URL prefix and without line breaks. */
const isPlain = (value: string, alg: string): boolean =>
  value !== '' && (alg.toLowerCase() !== 'base64' || /^[A-Za-z0-9+/]+={0,2}$/.test(value));

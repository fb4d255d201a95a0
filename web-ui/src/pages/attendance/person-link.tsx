import type { PersonFacts } from '../../../../src/admin/people-shapes.ts';
import { query } from '../../api.ts';

/** To the person's month; a person without an id in the organization has no page. */
export const PersonLink = ({
  person,
  month,
}: {
  person: Pick<PersonFacts, 'ext_id' | 'name'>;
  month?: string | undefined;
}) =>
  person.ext_id === '' ? (
    <span>{person.name}</span>
  ) : (
    <a href={`/attendance/person/${encodeURIComponent(person.ext_id)}${query({ month })}`}>
      {person.name || person.ext_id}
    </a>
  );

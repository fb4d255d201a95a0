import { query } from '../../api.ts';
import { targetName } from './words.ts';

type Target = Parameters<typeof targetName>[0];

/** For whom a plan is: a person or a department as a link; the site is where the reader is. */
export function TargetLink({ target, name }: { target: Target; name: string }) {
  const text = targetName(target, name);
  if (target.kind === 'person') return <a href={`/attendance/person/${encodeURIComponent(target.ext_id)}`}>{text}</a>;
  if (target.kind === 'department') return <a href={`/people${query({ department: target.ext_id })}`}>{text}</a>;
  return <>{text}</>;
}

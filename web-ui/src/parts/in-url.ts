import { useLocation } from 'preact-iso';
import { query as queryOf } from '../api.ts';

/**
 * Choices on a page, kept in its address, so that a link to it can be sent. An empty value is left
 * out.
 */
export function useInUrl(): {
  readonly values: Readonly<Record<string, string>>;
  readonly set: (changes: Readonly<Record<string, string | undefined>>) => void;
} {
  const { path, query, route } = useLocation();
  return {
    values: query,
    set: changes => route(`${path}${queryOf({ ...query, ...changes })}`, true),
  };
}

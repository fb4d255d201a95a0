import type { Passage } from '../../../../src/admin/ui/access.ts';
import { said } from './words.ts';

/**
 * The name; for a person that the organization does not know, the device's name for the person;
 * else a stranger.
 */
export const whoWords = ({ known, name, ext_id }: Passage): string =>
  known ? name || ext_id : ext_id === '' ? said.value.stranger : said.value.unknown(ext_id);

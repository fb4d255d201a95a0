import type { Passage } from '../../../../src/admin/ui/access.ts';
import { said } from './words.ts';

/**
 * The person's name; for a person whom the organization does not know, the name from the device;
 * else a stranger.
 */
export const whoWords = ({ known, name, ext_id }: Passage): string =>
  known ? name || ext_id : ext_id === '' ? said.value.stranger : said.value.unknown(ext_id);

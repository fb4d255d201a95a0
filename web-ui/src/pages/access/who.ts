import type { Passage } from '../../../../src/admin/ui/access.ts';
import { said } from './words.ts';

/**
 * A name; of somebody whom the organization does not know, what the device called the person; else
 * a stranger.
 */
export const whoWords = ({ known, name, ext_id }: Passage): string =>
  known ? name || ext_id : ext_id === '' ? said.value.stranger : said.value.unknown(ext_id);

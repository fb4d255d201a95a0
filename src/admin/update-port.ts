import type { Updates } from '../updates/index.ts';

/**
 * Updating a box that runs; docs/updates.md. A bundle is sent by browsers alone
 * (ui/update-upload.ts).
 */
export type UpdateAdmin = Pick<Updates, 'report' | 'inspect' | 'start' | 'rollBack'>;

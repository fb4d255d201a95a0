import { z } from 'zod';

/**
 * An app upgrade record (SPEC 2.13). `size` in bytes; the platform versions are passed on and
 * filter nothing. `checksum` is hex; its length determines the algorithm. `upgrade_type` explicit:
 * only when a person asks for it.
 */
export const upgradeRecordSchema = z.object({
  app_code: z.string().min(1).max(64),
  version: z.string().min(1).max(64),
  url: z.string().max(2048),
  checksum: z.string().max(200).optional(),
  size: z.number().int().nonnegative().optional(),
  min_platform_version: z.number().optional(),
  max_platform_version: z.number().optional(),
  description: z.string().max(10_000).optional(),
  upgrade_type: z.enum(['normal', 'force', 'explicit']).optional(),
});

export type UpgradeRecord = z.infer<typeof upgradeRecordSchema>;

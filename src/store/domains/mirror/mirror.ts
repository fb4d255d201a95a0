import type { PartOf, ReadsOf, WritesOf } from '../../domain.ts';
import { deleteMissingAtCloud, showMissingAtCloud } from './missing-at-cloud.ts';
import { mirrorFeatures, mirrorOrganization } from './organization.ts';
import { reads } from './reads.ts';
import { dismissUncertainMatch, mirrorAccess, mirrorCheckIns, mirrorFrom, noteMirrored } from './records.ts';

/** The copy of the cloud's organization, features, check-ins and access records. */
export const mirror = {
  reads,
  writes: {
    mirrorFrom,
    mirrorCheckIns,
    mirrorAccess,
    noteMirrored,
    dismissUncertainMatch,
    mirrorOrganization,
    deleteMissingAtCloud,
    showMissingAtCloud,
    mirrorFeatures,
  },
};

export type MirrorStore = PartOf<typeof mirror>;
export type MirrorReads = ReadsOf<typeof mirror>;
export type MirrorWrites = WritesOf<typeof mirror>;

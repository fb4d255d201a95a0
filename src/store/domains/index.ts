import type { Reading, ReadsOf, WritesOf } from '../domain.ts';
import { accounts } from './accounts.ts';
import { alerts } from './alerts.ts';
import { auditLog } from './audit/audit.ts';
import { backups } from './backups.ts';
import { corrections } from './corrections/corrections.ts';
import { dailyReports } from './daily-reports.ts';
import { files } from './files.ts';
import { fleet } from './fleet.ts';
import { forwarding } from './forwarding/forwarding.ts';
import { gateway } from './gateway/gateway.ts';
import { grants } from './grants/grants.ts';
import { history } from './history/history.ts';
import { drills, payroll, rememberedValues, settings } from './kept-values.ts';
import { logs } from './logs.ts';
import { messages } from './messages.ts';
import { mirror } from './mirror/mirror.ts';
import { ownPages } from './own-pages.ts';
import { periods } from './periods/periods.ts';
import { plans } from './plans/plans.ts';
import { provisioning } from './provisioning.ts';
import { room } from './room.ts';
import { signedCalls } from './signed-calls.ts';
import { statements } from './statements/statements.ts';
import { support } from './support.ts';
import { tokens } from './tokens.ts';
import { upgrades } from './upgrades.ts';
import { webhooks } from './webhooks.ts';

/**
 * Every domain of the store: its reads, its writes and the types of both follow from this list.
 *
 * Of all tables: columns named `sealed_*` hold SealedBytes (sealing.ts), so that no secret, feature
 * or picture is in the file in clear. Times are milliseconds since 1970 unless the name says
 * seconds. `npm run migrations` after a change.
 */
const domains = [
  accounts,
  alerts,
  auditLog,
  backups,
  corrections,
  dailyReports,
  drills,
  files,
  fleet,
  forwarding,
  gateway,
  grants,
  history,
  logs,
  messages,
  mirror,
  ownPages,
  payroll,
  periods,
  plans,
  provisioning,
  rememberedValues,
  room,
  settings,
  signedCalls,
  statements,
  support,
  tokens,
  upgrades,
  webhooks,
] as const;

type Domain = (typeof domains)[number];
type Every<Part> = (Part extends unknown ? (part: Part) => void : never) extends (part: infer All) => void
  ? All
  : never;

export type DomainReads = Every<ReadsOf<Domain>>;
export type DomainWrites = Every<WritesOf<Domain>>;

export const domainReads = (reading: Reading): DomainReads =>
  Object.assign({}, ...domains.map(({ reads }) => reads(reading)));

export const domainWrites = Object.assign({}, ...domains.map(({ writes }) => writes)) as Every<Domain['writes']>;

import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { CallerUse } from '../../platform/caller-uses.ts';
import type { Services } from '../../services/index.ts';
import type { ReadPart, SignedCallReads } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { grantOperations } from '../grants.ts';
import { operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { servicesReport } from '../services.ts';
import { mistakeShape, refusedCallOf, refusedCallShape, requestShape } from '../shapes.ts';
import { callerReport, callersOf } from './callers.ts';

const request = z.object({
  ...requestShape,
  kind: z.enum(['attendance', 'services']),
  caller: z.string(),
  why: z.object(mistakeShape).nullable().describe(described('Null: accepted', 'null：已接受')),
});
/** A request of either signed API. */
export type RequestReport = Report<typeof request>;

export const refusedCall = z.object({ ...refusedCallShape, kind: request.shape.kind, caller: z.string() });
export type MarkedCallReport = Report<typeof servicesReport>['marked_calls'][number];

const integrationsReport = z.object({
  callers: z.array(callerReport),
  requests: z
    .array(request)
    .describe(
      described(
        'Rejected ones since the start, then accepted ones of the last hour; each newest first',
        '启动以来被拒绝的请求，然后是最近一小时内已接受的请求；各自最新的在前',
      ),
    ),
  of_process: z
    .boolean()
    .describe(
      described(
        'In a region: `requests` and `marked` are those that the answering process served',
        '在区域部署中：`requests` 和 `marked` 仅为应答进程所处理的',
      ),
    ),
  marked: servicesReport.shape.marked_calls,
  grants: grantOperations.list.answer.shape.grants.describe(described('The last used first', '最近使用的在前')),
  waiting: servicesReport.shape.waiting,
});
export type IntegrationsReport = Report<typeof integrationsReport>;

export const integrationsOperations = {
  report: operation({
    method: 'get',
    path: '/integrations',
    role: 'viewer',
    summary: described(
      'API keys with their last use, requests of the signed APIs and why some were rejected, those that were taken with a mistake, and what people have allowed',
      'API 密钥及最近使用、签名接口的请求及被拒绝的原因、有错误但被接受的调用、用户授权',
    ),
    returns: described('The report', '报告'),
    answer: integrationsReport,
  }),
};

interface IntegrationParts {
  readonly admin: Pick<BoxAdmin, 'site' | 'grants' | 'services'>;
  readonly attendance: Pick<Attendance, 'requests' | 'uses'>;
  readonly services: Pick<Services, 'requests' | 'uses'>;
  readonly store: ReadPart<SignedCallReads>;
  readonly config: Pick<Config, 'store'>;
}

/** Operations of the page about callers. */
export const integrations = (parts: IntegrationParts): Running<typeof integrationsOperations> => ({
  async report() {
    const { admin, attendance, services, store, config } = parts;
    const [stored, { grants }, { waiting, marked_calls: marked }] = await Promise.all([
      store.read.callerUses(),
      admin.grants.list(),
      admin.services.report(),
    ]);
    const callers = await callersOf(admin, {
      attendance: latest(stored.attendance, attendance.uses()),
      services: latest(stored.services, services.uses()),
      // The last used first.
      oauth: new Map(
        grants.toReversed().map(({ client_id, used_at: at }) => [client_id, { at, address: '', call: '' }]),
      ),
    });
    return {
      ...{ callers, marked, grants, waiting },
      requests: requestsOf(parts),
      of_process: config.store.engine === 'postgres',
    };
  },
});

/** The stored use may be of another process, or older than the one seen since the start. */
function latest(
  stored: readonly ({ readonly id: string } & CallerUse)[],
  seen: ReadonlyMap<string, CallerUse>,
): Map<string, CallerUse> {
  const uses = new Map(seen);
  for (const { id, at, address, call } of stored) if ((uses.get(id)?.at ?? 0) < at) uses.set(id, { at, address, call });
  return uses;
}

/** The requests of both APIs, rejected ones first; bounded by the APIs. */
const requestsOf = ({ attendance, services }: Pick<IntegrationParts, 'attendance' | 'services'>): RequestReport[] =>
  [
    ...attendance.requests().map(one => ({ ...one, kind: 'attendance' as const })),
    ...services.requests().map(one => ({ ...one, kind: 'services' as const })),
  ]
    .map(({ identified: _, why, ...one }) => ({
      ...one,
      parts: [...one.parts],
      why: why && { ...why, signed: [...why.signed] },
    }))
    .sort((one, other) => Number(other.why !== null) - Number(one.why !== null) || other.at - one.at);

/** The calls of both APIs that were refused for who signed them, newest first. */
export const refusedCallsOf = ({
  attendance,
  services,
}: {
  readonly attendance: Pick<Attendance, 'status'>;
  readonly services: Pick<Services, 'refusedCalls'>;
}): Report<typeof refusedCall>[] =>
  [
    ...attendance.status().refusedCalls.map(one => ({ one, kind: 'attendance' as const })),
    ...services.refusedCalls().map(one => ({ one, kind: 'services' as const })),
  ]
    .map(({ one, kind }) => ({ ...refusedCallOf(one), kind, caller: one.caller }))
    .sort((one, other) => other.at - one.at);

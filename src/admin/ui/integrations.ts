import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import type { Services } from '../../services/index.ts';
import { described } from '../../words/described.ts';
import { grantOperations } from '../grants.ts';
import { operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { servicesReport } from '../services.ts';
import { refusedCallShape } from '../shapes.ts';
import { callerReport, callersOf } from './callers.ts';

const { string_to_sign: _, ...callFields } = refusedCallShape;
export const refusedCall = z.object({ ...callFields, kind: z.enum(['attendance', 'services']), caller: z.string() });
/** A call that was refused for its signature, of either API. */
export type RefusedCallReport = Report<typeof refusedCall>;
export type MarkedCallReport = Report<typeof servicesReport>['marked_calls'][number];

const integrationsReport = z.object({
  callers: z.array(callerReport),
  refused: z.array(refusedCall).describe(described('Newest first', '最新的在前')),
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
      'Programs that call the box, the last calls that were refused and why, those that were taken with a mistake, and what people have allowed',
      '调用网关的程序、最近被拒绝的调用及原因、有错误但被接受的调用、用户授权',
    ),
    returns: described('The report', '报告'),
    answer: integrationsReport,
  }),
};

interface IntegrationParts {
  readonly admin: Pick<BoxAdmin, 'site' | 'grants' | 'services'>;
  readonly attendance: Pick<Attendance, 'status'>;
  readonly services: Pick<Services, 'refusedCalls'>;
}

/** Operations of the page about callers. */
export const integrations = (parts: IntegrationParts): Running<typeof integrationsOperations> => ({
  async report() {
    const { admin } = parts;
    const [listed, { grants }, { waiting, marked_calls: marked }] = await Promise.all([
      callersOf(admin),
      admin.grants.list(),
      admin.services.report(),
    ]);
    return { callers: listed, refused: refusedCallsOf(parts), marked, grants, waiting };
  },
});

/** The calls of both APIs that were refused, newest first; bounded by the APIs. */
export const refusedCallsOf = ({
  attendance,
  services,
}: Pick<IntegrationParts, 'attendance' | 'services'>): RefusedCallReport[] =>
  [
    ...attendance.status().refusedCalls.map(({ app_key, code: _code, string_to_sign: _text, ...call }) => ({
      ...call,
      kind: 'attendance' as const,
      caller: app_key,
    })),
    ...services.refusedCalls().map(({ app_id, string_to_sign: _text, ...call }) => ({
      ...call,
      kind: 'services' as const,
      caller: app_id,
    })),
  ].sort((one, other) => other.at - one.at);

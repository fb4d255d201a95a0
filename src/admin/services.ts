import { z } from '@hono/zod-openapi';
import type { Services } from '../services/index.ts';
import type { MessageReads, ReadPart } from '../store/index.ts';
import { operation, resource } from './operation.ts';
import { refusedCallShape } from './shapes.ts';

export const servicesReport = z.object({
  waiting: z
    .object({ files: z.number(), messages: z.number(), refused: z.number() })
    .describe('What the cloud has yet to be given, and what it refused'),
  refused_calls: z
    .array(z.object({ ...refusedCallShape, app_id: z.string() }))
    .describe('Newest first; empty where the box does not run'),
  marked_calls: z
    .array(
      z.object({
        at: z.number(),
        address: z.string(),
        path: z.string(),
        app_id: z.string(),
        mistake: z.string().describe('What `message` says, as a word for a page'),
        message: z.string().describe('The mistake and the remedy'),
        count: z.number(),
      }),
    )
    .describe(
      'Calls that were taken although something is wrong with them. Newest first; empty where the box does not run',
    ),
});

const serviceOperations = {
  report: operation({
    method: 'get',
    path: '/services',
    role: 'viewer',
    summary:
      'What the public services have for the cloud, and calls whose signature was refused, with the string that should have been signed',
    returns: 'The report',
    answer: servicesReport,
  }),
};

export const servicesResource = resource(
  serviceOperations,
  ({ services }: { readonly services: Services }) => ({
    report: async () => ({
      waiting: await services.waiting(),
      refused_calls: services.refusedCalls(),
      marked_calls: services.markedCalls(),
    }),
  }),
  ({ store }: { readonly store: ReadPart<MessageReads> }) => ({
    report: async () => ({ waiting: await store.read.servicesWaiting(), refused_calls: [], marked_calls: [] }),
  }),
);

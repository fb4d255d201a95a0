import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import type { UiParts } from './parts.ts';

/** What the pages about callers, logs and commissioning ask. */
export function integrationsUiRoutes(_app: OpenAPIHono<AdminEnvironment>, _parts: UiParts): void {}

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import type { UiParts } from './parts.ts';

/** What the pages about users, certificates, network test, backup ask. */
export function systemUiRoutes(_app: OpenAPIHono<AdminEnvironment>, _parts: UiParts): void {}

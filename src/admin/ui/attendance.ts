import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import type { UiParts } from './parts.ts';

/** What the pages about attendance, access and people ask. */
export function attendanceUiRoutes(_app: OpenAPIHono<AdminEnvironment>, _parts: UiParts): void {}

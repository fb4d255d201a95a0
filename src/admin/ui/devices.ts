import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import type { UiParts } from './parts.ts';

/** What the pages about devices, those that were refused, what waits for them and for the cloud ask. */
export function devicesUiRoutes(_app: OpenAPIHono<AdminEnvironment>, _parts: UiParts): void {}

import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { boxReportBytesMax, parseBoxReport } from '../../platform/box-report.ts';
import type { DeviceId } from '../../platform/device-id.ts';
import { jsonTextOfBody } from '../../platform/text-body.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { RateWindow } from '../../runtime/rate-window.ts';
import { readBody } from '../../runtime/read-body.ts';
import type { FleetWrites, WritePart } from '../../store/index.ts';

type Call = Context<{ Bindings: HttpBindings }>;

const minuteMs = 60_000;
/** A box sends one in a minute, and one more at each login. */
const reportsInAMinuteMax = 6;
const retryAfterSeconds = '60';

interface Heard {
  /** Monotonic, when it was last written down. */
  notedAt: number;
  readonly reports: RateWindow;
}

/**
 * When boxes below were heard, and what they say of themselves. A box whose program sends no
 * reports is written down once a minute, while it sends or asks anything.
 */
export class BoxesHeard {
  readonly #store: WritePart<FleetWrites>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #boxes = new Map<DeviceId, Heard>();

  constructor(store: WritePart<FleetWrites>, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Notes that the box sent or asked something. Nothing waits for the note to be stored. */
  heard(boxId: DeviceId): void {
    const box = this.#of(boxId);
    const now = this.#clock.monotonic();
    if (now - box.notedAt < minuteMs) return;
    box.notedAt = now;
    this.#store.write
      .noteBoxHeard({ boxId, at: this.#clock.now(), report: null })
      .catch(error => this.#log.warn({ box: boxId, error: String(error) }, 'box_last_heard_not_stored'));
  }

  /** Takes its report: the answer to it. Rejects with TooLarge or a StoreError. */
  async take(boxId: DeviceId, call: Call): Promise<Response> {
    const box = this.#of(boxId);
    if (!box.reports.take(this.#clock.monotonic()))
      return call.json({ code: 429, msg: 'sent more often than is taken' }, 429, { 'Retry-After': retryAfterSeconds });
    const parsed = parseBoxReport(jsonTextOfBody(await readBody(call.env.incoming, boxReportBytesMax)));
    if (!parsed.ok)
      return call.json({ code: 400, msg: `what the box says of itself cannot be read: ${parsed.refusal.detail}` }, 400);
    box.notedAt = this.#clock.monotonic();
    await this.#store.write.noteBoxHeard({ boxId, at: this.#clock.now(), report: parsed.value });
    return call.json({ code: 0, msg: 'ok' });
  }

  #of(boxId: DeviceId): Heard {
    let box = this.#boxes.get(boxId);
    if (!box) {
      box = { notedAt: Number.NEGATIVE_INFINITY, reports: new RateWindow(reportsInAMinuteMax, minuteMs) };
      this.#boxes.set(boxId, box);
    }
    return box;
  }
}

/**
 * Below the path of batches, which a receiver that does not know it answers with 404: above that
 * path it would be a call of a public service.
 */
export function routeBoxReports(
  routes: OpenAPIHono<{ Bindings: HttpBindings }>,
  boxes: BoxesHeard,
  /** The box below that calls, or what it is answered. */
  boxOf: (call: Call) => Promise<DeviceId | Response>,
): void {
  const post = async (call: Call): Promise<Response> => {
    const boxId = await boxOf(call);
    return typeof boxId === 'string' ? boxes.take(boxId, call) : boxId;
  };
  routes.post('/api/v1.0/batch/:clientId/status', post);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AttendanceCaller, payroll } from './attendance.ts';
import type { BoxUnderTest } from './box-under-test.ts';
import type { History } from './history.ts';

interface Page {
  readonly next_id: number;
  readonly data: readonly { readonly id: string }[];
}

/**
 * Payroll, which asks for what comes after its `next_id` and keeps the new one, through whatever
 * happens to the box: a page that had no answer is asked for again.
 */
export class RecordedPayroll {
  readonly #history: History;
  readonly #caller: AttendanceCaller;
  #place = 0;

  private constructor(history: History, caller: AttendanceCaller) {
    this.#history = history;
    this.#caller = caller;
  }

  /** The box has the caller `payroll` of `attendance.ts`. */
  static async at(box: BoxUnderTest, history: History): Promise<RecordedPayroll> {
    const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
    const url = `https://127.0.0.1:${box.port('https')}`;
    const caller = new AttendanceCaller(url, Date.now, payroll.app_key, payroll.app_secret, { ca });
    const { code, msg } = await caller.run('checkin_query_init');
    if (code !== 0) throw new Error(`checkin_query_init: ${code} ${msg}`);
    return new RecordedPayroll(history, caller);
  }

  /** Page by page until one is empty; rejects where the box does not answer. */
  async pull(): Promise<void> {
    for (;;) {
      const from = this.#place;
      const { code, msg, data } = await this.#caller.run('checkin_query', { next_id: from, page_size: 20 });
      if (code !== 0) throw new Error(`checkin_query: ${code} ${msg}`);
      const { next_id, data: records } = data as Page;
      const ids = records.map(({ id }) => Number(id));
      this.#history.write('payroll', { op: 'page', program: 'payroll', from, next_id, ids });
      this.#place = next_id;
      if (ids.length === 0) return;
    }
  }

  /** The table of check-ins was read: payroll has the same. */
  async level(store: string): Promise<void> {
    await this.pull();
    this.#history.write('payroll', { op: 'level', program: 'payroll', store, kind: 'message' });
  }
}

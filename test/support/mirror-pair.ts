import { anAttendanceBox, payroll } from './attendance.ts';
import { HandClock } from './clock.ts';

/**
 * A cloud (a box that is its own authority), and a box that follows it over a line that can be cut.
 */
export async function aPair() {
  await using parts = new AsyncDisposableStack();
  const clock = new HandClock();
  const cloud = parts.use(await anAttendanceBox({ gateway: { clock } as never }));
  const line = {
    isUp: true,
    /** The line is cut after so many pages of records. */
    pagesLeft: Number.POSITIVE_INFINITY,
    refuse: (_body: string): object | null => null,
    posted: [] as string[],
  };
  const box = parts.use(
    await anAttendanceBox({
      gateway: { clock } as never,
      site: { attendance_callers: [payroll] },
      cloud: {
        address: 'cloud.example',
        appKey: payroll.app_key,
        appSecret: payroll.app_secret,
        everyMs: 600_000,
        async post(path, headers, body) {
          const command = headers['Api-Cmd'] ?? '';
          const isPage = command === 'checkin_query' || command === 'checkin_acs_query';
          if (!line.isUp || (isPage && line.pagesLeft-- <= 0)) throw new Error('connect ECONNREFUSED');
          if (!path.endsWith('/query') && !/_query(_init)?$/.test(command)) line.posted.push(`${path} ${body}`);
          const refusal = line.refuse(`${path} ${body}`);
          if (refusal) return { status: 200, headers: {}, body: JSON.stringify(refusal) };
          const answer = await fetch(`${cloud.url}${path}`, { method: 'POST', headers, body });
          return { status: answer.status, headers: {}, body: await answer.text() };
        },
      },
    }),
  );
  const sync = async () => {
    const asked = box.attendance.syncNow();
    let done = false;
    void asked.then(() => {
      done = true;
    });
    while (!done) {
      await clock.advance(60);
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    return (await asked)!;
  };
  /** Both return check-ins from now on, and the box knows the cloud’s people. */
  const start = async () => {
    await sync();
    await box.caller.run('checkin_query_init');
  };
  const owned = parts.move();
  return { cloud, box, line, clock, sync, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

import { anAttendanceBox, aSite, payroll } from './attendance.ts';
import { HandClock } from './clock.ts';

type Answer = { readonly code: number; readonly msg: string; readonly data?: unknown };

/**
 * A cloud (a box that is its own authority), and a box that follows it over a line that can be cut.
 * `people`: how many the cloud has, e1 to eN, in two departments.
 */
export async function aPair({ people = 1, featuresStay = false }: { people?: number; featuresStay?: boolean } = {}) {
  await using parts = new AsyncDisposableStack();
  const clock = new HandClock();
  const cloud = parts.use(await anAttendanceBox({ gateway: { clock } as never, site: siteOf(people) }));
  const line = {
    isUp: true,
    /** The line is cut after so many pages of records. */
    pagesLeft: Number.POSITIVE_INFINITY,
    refuse: (_body: string): object | null => null,
    posted: [] as string[],
    /** What the box gets in place of an answer of the cloud. */
    lie: (_asked: string, answer: Answer): object => answer,
  };
  const box = parts.use(
    await anAttendanceBox({
      gateway: { clock } as never,
      site: { attendance_callers: [payroll] },
      featuresStay,
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
          const said = line.lie(`${path} ${command} ${body}`, (await answer.json()) as Answer);
          return { status: answer.status, headers: {}, body: JSON.stringify(said) };
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

/** The site of `aSite`, with so many people. */
const siteOf = (people: number) => ({
  ...aSite,
  employees: Array.from({ length: people }, (_, turn) =>
    turn === 0
      ? aSite.employees![0]!
      : {
          ...{ ext_id: `e${turn + 1}`, name: `Name of e${turn + 1}`, mobile: '1', employee_num: `${1001 + turn}` },
          department: { ext_id: 'd1', title: '' },
        },
  ),
});

import type { UpdateAdmin } from './updates.ts';

/** What only a running box can do. */
class BoxStopped extends Error {
  constructor() {
    super('the box does not run: start it with `gatehouse serve`, then try again');
    this.name = 'BoxStopped';
  }
}

export const whileStopped = () => Promise.reject(new BoxStopped());
// biome-ignore lint/correctness/useYield: it says that there is nothing, when it is read
export async function* linesWhileStopped(): AsyncGenerator<never> {
  throw new BoxStopped();
}
export const stoppedUpdates: UpdateAdmin = {
  report: whileStopped,
  inspect: whileStopped,
  start: whileStopped,
  rollBack: whileStopped,
};

export const stoppedSchedule = {
  ...{ settings: whileStopped, choose: whileStopped, now: whileStopped },
  ...{ sftp: whileStopped, checkSftp: whileStopped, confirmSftp: whileStopped },
};
export const stoppedDrill = {
  ...{ report: whileStopped, beginCard: whileStopped, seen: whileStopped, stopCard: whileStopped },
  ...{ cutLine: whileStopped, restoreLine: whileStopped, beginTerminals: whileStopped, endTerminals: whileStopped },
  numbers: linesWhileStopped,
};

import { send } from '../../api.ts';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** Resolves when the box responds again; waits first, because it still responds for a moment. */
export async function boxIsBack(): Promise<void> {
  await pause(2000);
  for (;;) {
    const answers = await send('GET', '/session').then(
      () => true,
      () => false,
    );
    if (answers) return;
    await pause(1000);
  }
}

const looksMax = 30;

/**
 * Resolves when the box has restarted with a change: until it closes, it responds as before. Gives
 * up after a minute, when the page shows what is in force.
 */
export async function boxIsBackWith(isInForce: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < looksMax; looks++) {
    await boxIsBack();
    if (await isInForce().catch(() => false)) return;
  }
}

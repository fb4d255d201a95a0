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

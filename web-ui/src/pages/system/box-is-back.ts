import { send } from '../../api.ts';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** The box responds a moment longer, then closes, then is back. */
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

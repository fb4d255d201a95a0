import { type BoxClient, connectAdmin } from '../admin-client/index.ts';
import type { Call } from './command.ts';

/** The time zone of the site, in which every command shows times and reads those without one. */
export const zoneOf = async (box: Pick<BoxClient, 'get'>): Promise<string> => (await box.get('/naming')).timezone;

/** The same where no box has to be there: of the one that runs, else of the config. */
export async function zoneOfSite(call: Call): Promise<string> {
  const { dataDirOf, zoneInForce } = await import('./config-of.ts');
  try {
    const running = await connectAdmin(dataDirOf(call));
    if (running) return await zoneOf(running);
  } catch {
    // A box that this user may not ask, or that ends meanwhile.
  }
  return zoneInForce(call);
}

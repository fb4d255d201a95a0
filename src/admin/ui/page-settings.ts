import type { Config, PageKey } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { refused } from '../problem.ts';

export type ChangedKeys = Readonly<Partial<Record<PageKey, string | null>>>;

/** Parts of a box that set keys of its config on a page. */
export interface PageSettingParts {
  readonly config: Config;
  readonly pageSettings: {
    changed(change: ChangedKeys): {
      readonly config: Config;
      readonly wrong: { readonly key: string; readonly why: string } | null;
    };
    fixedBy(key: PageKey): string | null;
    set(change: ChangedKeys): Promise<void>;
  };
  readonly clock: Clock;
  /** Closes the box and opens it again; null: whoever runs it cannot. */
  restarter(): ((how: 'same program') => void) | null;
}

/** The answer is out before the box closes. */
const answerMs = 500;

/** Config with these values. Throws a refusal where one is fixed, or they do not fit the rest. */
export function restartsWith({ pageSettings }: Pick<PageSettingParts, 'pageSettings'>, change: ChangedKeys): Config {
  for (const key of Object.keys(change) as PageKey[]) {
    const where = pageSettings.fixedBy(key);
    if (where !== null) throw refused(409, 'fixed', `${key} is fixed by ${where}: change it there`);
  }
  const { config, wrong } = pageSettings.changed(change);
  if (wrong) throw refused(422, wrong.key, `${wrong.key}: ${wrong.why}`);
  return config;
}

/** Keeps the values, and restarts the box in place. Throws a refusal where nothing can do that. */
export async function restartSoon(
  { pageSettings, clock, restarter }: Omit<PageSettingParts, 'config'>,
  change: ChangedKeys,
): Promise<void> {
  const restart = restarter();
  if (!restart)
    throw refused(409, 'no_restart', 'this box cannot restart itself: set it in the config file, and start it again');
  await pageSettings.set(change);
  void clock.sleep(answerMs).then(() => restart('same program'));
}

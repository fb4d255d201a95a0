import { type Config, fixedBy, type Origin, siteInForce } from '../config/index.ts';
import type { Site, SiteChoice } from '../platform/site.ts';
import type { ReadPart, SettingReads, SettingWrites, WritePart } from '../store/index.ts';

type SettingStore = ReadPart<SettingReads> & WritePart<SettingWrites>;

/** One key on the page Settings. */
interface SiteSetting {
  readonly value: string;
  /** Whether the config or somebody has said the value: otherwise it is the default. */
  readonly isConfirmed: boolean;
  /** Position that fixes the key, such as `gatehouse.yaml:3:9`; null if it can be chosen. */
  readonly fixedBy: string | null;
}

/**
 * The site as the config, and else an admin, says it. All parts hold `site`, whose properties are
 * those in force when they are read.
 */
export class SiteSettings {
  readonly #store: SettingStore;
  readonly #configured: Config['site'];
  readonly #origin: Origin;
  readonly #onChange: () => void;
  #chosen: SiteChoice;
  #now: Config['site'];
  readonly site: Config['site'];

  private constructor(
    store: SettingStore,
    chosen: SiteChoice,
    { configured, origin, onChange }: { configured: Config['site']; origin: Origin; onChange: () => void },
  ) {
    this.#store = store;
    this.#configured = configured;
    this.#origin = origin;
    this.#onChange = onChange;
    this.#chosen = chosen;
    this.#now = siteInForce(configured, chosen, origin);
    const now = () => this.#now;
    this.site = {
      get name() {
        return now().name;
      },
      get timezone() {
        return now().timezone;
      },
      get locale() {
        return now().locale;
      },
      base_url: configured.base_url,
    };
  }

  /** `onChange` runs after each change, and not at the opening. */
  static async open(
    store: SettingStore,
    options: { configured: Config['site']; origin: Origin; onChange: () => void },
  ): Promise<SiteSettings> {
    return new SiteSettings(store, await store.read.siteChoice(), options);
  }

  get chosen(): SiteChoice {
    return this.#chosen;
  }

  settings(): Record<keyof Site, SiteSetting> {
    const of = (key: keyof Site) => {
      const fixed = fixedBy(this.#origin, key);
      return { value: this.#now[key], fixedBy: fixed, isConfirmed: fixed !== null || this.#chosen[key] !== undefined };
    };
    return { name: of('name'), timezone: of('timezone'), locale: of('locale') };
  }

  /** The language of whoever sets the box up; what the config fixes stays. */
  async chooseLanguage(locale: string): Promise<void> {
    if (this.settings().locale.fixedBy === null) await this.choose({ locale });
  }

  /** Changes some keys, for all parts at once. What the config fixes must not be among them. */
  async choose(some: SiteChoice): Promise<void> {
    const chosen = { ...this.#chosen, ...some };
    const now = siteInForce(this.#configured, chosen, this.#origin);
    await this.#store.write.keepSiteChoice({ chosen, timeZone: now.timezone });
    this.#chosen = chosen;
    this.#now = now;
    this.#onChange();
  }
}

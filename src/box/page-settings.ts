import { type Config, type Origin, type PageKey, type PageSettings, withPageSettings } from '../config/index.ts';
import type { ReadPart, SettingReads, SettingWrites, WritePart } from '../store/index.ts';

type SettingStore = ReadPart<SettingReads> & WritePart<SettingWrites>;

/** Values of keys that an admin set or takes back; null: no longer set. */
type ChangedSettings = Readonly<Partial<Record<PageKey, string | null>>>;

/**
 * Keys of the config that pages set, as the box was opened with them: a change counts from the next
 * opening on.
 */
export class PageSettingsOfBox {
  readonly #store: SettingStore;
  readonly #loaded: Config;
  readonly #origin: Origin;
  readonly #isRegion: boolean;
  #set: PageSettings;

  private constructor(store: SettingStore, loaded: Config, origin: Origin, set: PageSettings) {
    this.#store = store;
    this.#loaded = loaded;
    this.#origin = origin;
    this.#isRegion = loaded.store.engine !== 'sqlite';
    this.#set = set;
  }

  static async open(store: SettingStore, loaded: Config, origin: Origin): Promise<PageSettingsOfBox> {
    return new PageSettingsOfBox(store, loaded, origin, await store.read.pageSettings());
  }

  /** Config with them, or as it was loaded, and why. */
  inForce(): ReturnType<typeof withPageSettings> {
    return this.changed({});
  }

  /** The same if these were set too. */
  changed(change: ChangedSettings): ReturnType<typeof withPageSettings> {
    return withPageSettings(this.#loaded, this.#origin, this.#isRegion ? {} : this.#with(change));
  }

  /**
   * Position that fixes a key, such as `gatehouse.yaml:3:9`; null: a page can set it. The processes
   * of a region have to agree, so their config files alone count.
   */
  fixedBy(key: PageKey): string | null {
    const where = this.#origin(key.split('.'));
    return where === 'default' ? (this.#isRegion ? 'store.engine: postgres' : null) : where;
  }

  async set(change: ChangedSettings): Promise<void> {
    await this.#store.write.setOnPage(change as Readonly<Record<string, string | null>>);
    this.#set = this.#with(change);
  }

  #with(change: ChangedSettings): PageSettings {
    const all = Object.entries({ ...this.#set, ...change }).filter(([, value]) => value !== null);
    return Object.fromEntries(all) as PageSettings;
  }
}

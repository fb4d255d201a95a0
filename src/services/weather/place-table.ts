import provinces from './places.generated.json' with { type: 'json' };
import { kinds, pinyinOfKind, shortName } from './short-name.ts';

/** A province, prefecture or county of China. */
export interface Division {
  /**
   * Six digits of GB/T 2260: of a province the last four are zeros, of a prefecture the last two.
   */
  readonly adcode: string;
  /** In full, such as 朝阳区. */
  readonly name: string;
}

const levelOf = ({ adcode }: Division): number => (adcode.endsWith('0000') ? 1 : adcode.endsWith('00') ? 2 : 3);

const isWithin = (inner: Division, outer: Division): boolean =>
  inner.adcode !== outer.adcode && inner.adcode.startsWith(outer.adcode.slice(0, levelOf(outer) * 2));

/** The city of a municipality that is a province: 110100 is the Beijing of 110000. */
const cityOfMunicipality = /^(11|12|31|50)0[12]00$/;

/**
 * Only letters, in lower case, without tones, ü as v; so that 'Xī’ān', 'XI AN' and 'xi-an' are one
 * name.
 */
function plainName(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/u\u0308/g, 'v')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The generated table, indexed by adcode and by every way to write a name. About 3000 places. */
export class PlaceTable {
  readonly #byAdcode = new Map<string, Division>();
  readonly #byName = new Map<string, Division[]>();

  constructor() {
    for (const row of provinces.flatMap(rows => rows.split('\n'))) {
      const [, adcode, name, spellings] = /^(\d{6})([^a-z]+)([a-z].*)$/.exec(row)!;
      const division: Division = { adcode: adcode!, name: name! };
      this.#byAdcode.set(division.adcode, division);
      for (const way of spellingsOf(division.name, spellings!.split(' '))) {
        const known = this.#byName.get(way);
        if (known) known.push(division);
        else this.#byName.set(way, [division]);
      }
    }
  }

  byAdcode(adcode: string): Division | null {
    return this.#byAdcode.get(cityOfMunicipality.test(adcode) ? `${adcode.slice(0, 2)}0000` : adcode) ?? null;
  }

  /**
   * All places that a name may mean, the higher level first, then by adcode. The name may be as it
   * is, or end in another kind of place (吴江市, which is 吴江区 today), or follow the province or
   * prefecture that contains it (北京朝阳, beijing chaoyang).
   */
  byName(text: string): readonly Division[] {
    return this.#find(plainName(text), 2);
  }

  /** 辽宁省朝阳市: a place with the ones that hold it. */
  fullName(division: Division): string {
    const holders = [`${division.adcode.slice(0, 2)}0000`, `${division.adcode.slice(0, 4)}00`]
      .filter(adcode => adcode !== division.adcode)
      .map(adcode => this.#byAdcode.get(adcode)?.name ?? '');
    return [...new Set(holders), division.name].join('');
  }

  /** `holders`: how many may precede it, at most a province and a prefecture. */
  #find(name: string, holders: number): readonly Division[] {
    const exact = this.#named(name);
    return exact.length > 0 || holders === 0 ? exact : this.#within(name, holders - 1);
  }

  #named(name: string): readonly Division[] {
    const found = this.#byName.get(name);
    if (found) return found.toSorted((a, b) => levelOf(a) - levelOf(b) || (a.adcode < b.adcode ? -1 : 1));
    for (const [chinese, pinyin] of kinds) {
      for (const kind of [chinese, pinyin]) {
        const short = name.endsWith(kind) ? name.slice(0, -kind.length) : '';
        if (short.length > 1 && this.#byName.has(short)) return this.#named(short);
      }
    }
    return [];
  }

  #within(name: string, holders: number): readonly Division[] {
    for (let at = 2; at <= name.length - 2; at++) {
      const outer = this.#named(name.slice(0, at));
      if (outer.length === 0) continue;
      const inner = this.#find(name.slice(at), holders).filter(one => outer.some(holder => isWithin(one, holder)));
      if (inner.length > 0) return inner;
    }
    return [];
  }
}

function spellingsOf(name: string, [pinyin, ...others]: readonly string[]): Set<string> {
  const written = new Set([name, shortName(name), ...others]);
  for (const spelling of [pinyin!, pinyin! + pinyinOfKind(name)]) {
    written.add(spelling);
    // ü is written v, u or yu.
    if (spelling.includes('v')) {
      written.add(spelling.replaceAll('v', 'u'));
      written.add(spelling.replaceAll('v', 'yu'));
    }
  }
  return written;
}

/**
 * How people call a place: its name without what kind of place it is (SPEC 4.7, query `city`). Used
 * where the table of places is made and where a name is looked up, so that both mean the same.
 */

const nations = [
  ...['蒙古', '维吾尔', '哈萨克', '柯尔克孜', '塔吉克', '锡伯', '达斡尔', '鄂温克', '裕固', '朝鲜', '土家', '布依'],
  ...['哈尼', '傈僳', '拉祜', '东乡', '纳西', '景颇', '仫佬', '布朗', '撒拉', '毛南', '仡佬', '普米', '保安'],
];
/** Of one character: only 族 distinguishes it from an ordinary character of a name. */
const shortNations = [
  '藏族',
  '回族',
  '苗族',
  '彝族',
  '壮族',
  '侗族',
  '瑶族',
  '白族',
  '黎族',
  '傣族',
  '佤族',
  '畲族',
].concat(['水族', '羌族', '怒族', '满族', '土族', '独龙族', '各族']);
const nation = `(?:(?:${nations.join('|')})族?|${shortNations.join('|')})`;

const ofNations = new RegExp(`^(.+?)${nation}+自治[区州县旗]$`);
/** A city district, no forest district: here 林 belongs to the name. */
const noForest = '万柏林区';
const onlyNation = new RegExp(`^(${nations.join('|')})族?自治[区州县旗]$`);

/** The kinds of place at the end of a Chinese name, longest first, with their pinyin. */
export const kinds: readonly (readonly [chinese: string, pinyin: string])[] = [
  ['特别行政区', 'tebiexingzhengqu'],
  ['自治区', 'zizhiqu'],
  ['自治州', 'zizhizhou'],
  ['自治县', 'zizhixian'],
  ['自治旗', 'zizhiqi'],
  ['地区', 'diqu'],
  ['新区', 'xinqu'],
  ['林区', 'linqu'],
  ['特区', 'tequ'],
  ['省', 'sheng'],
  ['市', 'shi'],
  ['州', 'zhou'],
  ['盟', 'meng'],
  ['区', 'qu'],
  ['县', 'xian'],
  ['旗', 'qi'],
];

/**
 * 朝阳 of 朝阳区, 恩施 of 恩施土家族苗族自治州, 广西 of 广西壮族自治区. A name of which one character would be left loses one
 * kind less (蔚县 stays as it is), and 州 belongs to the name of 苏州 and 郑州: only what stands behind it
 * is taken off.
 */
export function shortName(name: string): string {
  const alone = onlyNation.exec(name);
  if (alone) return alone[1]!;
  const beforeNations = ofNations.exec(name)?.[1];
  if (beforeNations && beforeNations.length > 1) return beforeNations;
  for (const [kind] of kinds) {
    if (kind === '州' || (kind === '林区' && name === noForest)) continue;
    if (name.endsWith(kind) && name.length - kind.length > 1) return name.slice(0, -kind.length);
  }
  return name;
}

/**
 * The pinyin of the kind that `shortName` took off the end; empty when it took none. Of 恩施土家族苗族自治州:
 * zizhizhou.
 */
export function pinyinOfKind(name: string): string {
  const taken = name.slice(shortName(name).length);
  return kinds.find(([kind]) => taken.endsWith(kind))?.[1] ?? '';
}

import { pinyin } from 'pinyin-pro';

/**
 * Characters that espeak-ng 1.51 does not read in their usual way: found by comparing its phonemes
 * for all of GB 2312.
 */
export const misread = new Set(
  [
    '叭笆巴罢扮剥绷膊泊卜簿敞晨澄匙酬楚幢弹倒得翟地调侗朵坊佛夫袱甫傅咐嘎镐个供菇咕冠呵貉哄虹乎糊唬哗欢晃',
    '稽迹绩缉辑脊夹贾稼匠嚼矫藉睛咀矩卷倔坷框喇啦楞狸哩量撩潦了伶窿蔓闷糜娩牟拇呐溺娘拧疟哦澎篷漂泼戚茄曲',
    '鹊茸刹舍拾识伺嗽诉苔屉涂褪驼拓哇枉挝伍务息仙削哮嚣淆兴奄爷掖宜应蝇载脏喳栅粘辗蔗挣吱只帚著爪拽椎缀琢',
    '仔子卒钻柞丌乇亟乜剌剡伧伲侉偻僮儋讧诶阝阽隗邳郄郇郗哿凵圩垸艹艽芏芎芾茈荠荥荨莜莶菟菸葜葚蓥蔹蓼蕃奘',
    '扌拗拶捋掊揲撖撸攉呗呱咧呲唛唠喏嗒喔嗦嗄嗯嗳嗌嗨嘞嘌噻嚓囝帱峤崾嵴彷犭猓猞猹猬饧饨馕忄忪怫悝惝慊憷阆',
    '阏丬爿氵沲泺浍渑湫溻滗漯濞迤遛邋孱媛嬷骀绗缪缯玢琊珲杓杈枸桄桁椹楂槟槭樘樨轱轳瓿炅挲攵敫肷胲脶膪欹於',
    '旄烊焯灬焘戆砉砝硌硪黼眍眙睃罱钌钭钿铛铤铫铴锃锸镏镗镝镩镫鹄鹑鹨鹱疒痃衤衩裣裼裨裰耠耥覃颉颏虍蚍蚣蚵',
    '蛲蛸蜚蝰蝤箐簸舭糌艮糸綮赳趄酊酾趿踉蹊蹶觜訾靓黾隽鏊鳙鳜鞅鞒鞔骺麇跋賈車祕甯肖佴',
  ].join(''),
);

const readingsOf = (character: string): string[] =>
  pinyin(character, { multiple: true, toneType: 'num', v: true }).split(' ');

/** Syllables with the number of their tone, `shan4`. */
export const readingOf = (text: string, surname: 'head' | 'off'): string[] =>
  pinyin(text, { toneType: 'num', type: 'array', v: true, surname });

/**
 * The characters of GB 2312: its 3755 common ones in the order of their readings, then the rarer
 * 3008.
 */
function gb2312(firstRow: number, lastRow: number): string[] {
  const decoder = new TextDecoder('gbk');
  const characters: string[] = [];
  for (let row = firstRow; row <= lastRow; row++)
    for (let cell = 1; cell <= 94; cell++) characters.push(decoder.decode(new Uint8Array([0xa0 + row, 0xa0 + cell])));
  return characters.filter(character => /^\p{Script=Han}$/u.test(character));
}

/**
 * For each reading a character that has it: a common one with no other reading, else a rarer one,
 * else one that mostly has it.
 */
export function homophones(): Map<string, string> {
  const common = gb2312(16, 55);
  const rare = gb2312(56, 87);
  const unambiguous = (character: string) => readingsOf(character).length === 1;
  const found = new Map<string, string>();
  for (const character of [...common.filter(unambiguous), ...rare.filter(unambiguous), ...common, ...rare]) {
    const [reading] = readingsOf(character);
    if (!misread.has(character) && !found.has(reading!)) found.set(reading!, character);
  }
  return found;
}

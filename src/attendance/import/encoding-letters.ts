import { type CodePage, type Writing, writingOf } from '../../platform/csv-encodings.ts';

/**
 * Letters of names, departments and headers of lists, by code page: those of its
 * languages; of Chinese, Japanese and Korean the characters that most surnames and many given
 * names have.
 */

const western = 'äöüßÄÖÜéèêëàâçñóíáúôîïùûõãåøæœÉÈÀÁÍÓÚÂÊÇÑÅØÆŒÿÿþðýÝì';
const central = 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽäöüőűÄÖÜŐŰăâîșțşţĂÂÎŞŢđĐľĺŕôôßëç';
const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюяёієїґАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁІЄЇҐ';

const turkish = 'çğıöşüÇĞİÖŞÜâîû';
const baltic = 'ąčęėįšųūžĄČĘĖĮŠŲŪŽāēģīķļņōŗĀĒĢĪĶĻŅŌŖäõöüÄÕÖÜ';
const vietnamese = 'àáâăãèéêìíòóôõơùúưýđÀÁÂĂÃÈÉÊÌÍÒÓÔÕƠÙÚƯÝĐ\u0300\u0301\u0303\u0309\u0323';
// Without ΐ, ΰ, ξ and ψ, which are rare there and frequent letters of Cyrillic here.
const greek = 'αβγδεζηθικλμνοπρσςτυφχωάέήίόύώϊΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΩΆΈΉΊΌΎΏ';
const hebrew = 'אבגדהוזחטיךכלםמןנסעףפץצקרשת';
const arabic = 'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ';
const thai = 'กขคฆงจฉชซญฎฏฐณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะัาำิีึืุูเแโใไ็่้๊๋์';

const simplified =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文' +
  '伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂华建国志红梅玲燕玉春海波辉鹏飞小雪婷琳欣宇浩然子轩雨晨佳思怡俊凤云生永成东新立德光清荣学义天大福安兴忠' +
  '姓名编号工部门人员事务财行政生产车间仓库销售研发技术质量办公室总经理组班次日期职手机上级名称代码休息时段早中晚夜白长外勤一二三四五六七八九十年月';
const traditional =
  '陳林黃張李王吳劉蔡楊許鄭謝郭洪邱曾廖賴徐周葉蘇莊呂江何蕭羅高潘簡朱鍾游彭詹胡施沈余盧梁趙顏柯翁魏孫戴范方宋鄧杜傅侯曹薛丁卓馬董溫唐藍石蔣田康鄒白涂尤韓龔嚴袁鐘黎金阮陸倪夏童邵柳錢湯' +
  '明志家豪美玲雅婷淑芬怡君宗翰建國偉文華英俊傑秀惠珍大小心怡雯佳穎宏哲信義仁德麗雲月春梅芳蓮玉珠嘉慧欣宜安平成承柏冠廷宇軒' +
  '姓名編號工部門人員事務財行政生產倉庫銷售研發技術質量辦公室總經理組班次日期職手機上級稱代碼休息時間早中晚夜';
const japanese =
  '佐藤鈴木高橋田中伊渡辺山本村小林加吉斎斉清水崎森池阿部石川島前後岡長谷近遠坂青福西太三浦原野松井竹内金子和上下大久保宮今新丸古平杉河土増安岩横柴酒工菊服桜千葉星' +
  '一二郎子美花太健翔咲樹直真優奈愛恵裕介誠由紀香織幸雄正男和也拓哉里菜結衣陽蓮学明夫' +
  '氏名社員番号部署課営業総務経理人事製造日付';
const korean =
  '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구나민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥' +
  '수영희철민준서지은우연호현정미진경숙자순성재훈동혁승태윤아하늘빈나라인혜주상용석광규종병' +
  '이름성명사번부서총무인사생산영업팀부과직원번호날짜';

const setOf = (text: string): ReadonlySet<string> => new Set(text);
const commonCharacters = {
  'windows-1252': setOf(`${western}ŠšŽž’–“”€`),
  'iso-8859-15': setOf(`${western}ŠšŽž€`),
  'windows-1250': setOf(`${central}’–“”€`),
  'windows-1251': setOf(`${cyrillic}№«»–’`),
  gb18030: setOf(simplified),
  big5: setOf(traditional),
  shift_jis: setOf(japanese),
  'euc-kr': setOf(korean),
  'koi8-r': setOf(cyrillic),
  'koi8-u': setOf(cyrillic),
  ibm866: setOf(`${cyrillic}№`),
  'windows-1253': setOf(`${greek}’–`),
  'windows-1254': setOf(`${western}${turkish}’–“”€`),
  'windows-1255': setOf(`${hebrew}’–`),
  'windows-1256': setOf(arabic),
  'windows-1257': setOf(`${baltic}’–“”€`),
  'windows-1258': setOf(`${vietnamese}’–“”`),
  'windows-874': setOf(thai),
} as const satisfies Partial<Record<CodePage, ReadonlySet<string>>>;

/** Pages whose letters tell them from others. */
export type GuessedPage = keyof typeof commonCharacters;
export const guessedPages = Object.keys(commonCharacters) as GuessedPage[];

/** Characters that a page encodes with two bytes, the first of them in this range. */
function charactersOf(page: GuessedPage, first: number, last: number): ReadonlySet<string> {
  const decoder = new TextDecoder(page);
  const trails = Array.from({ length: 0xff - 0x40 }, (_, index) => 0x40 + index);
  const leads = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  // In GB18030 and EUC-KR the frequent characters have a second byte from 0xA1 on.
  const from = page === 'gb18030' || page === 'euc-kr' ? 0xa1 : 0x40;
  const pairs = leads.flatMap(lead => trails.filter(one => one >= from).map(trail => Uint8Array.of(lead, trail)));
  return new Set(pairs.map(pair => decoder.decode(pair)).filter(text => text.length === 1 && text !== '\ufffd'));
}

/** Frequent characters: the first level of each standard. Made when a file is first guessed at. */
const firstLevels = new Map<GuessedPage, ReadonlySet<string>>();
const ranges: Readonly<Partial<Record<GuessedPage, readonly [number, number]>>> = {
  gb18030: [0xb0, 0xd7],
  big5: [0xa4, 0xc6],
  shift_jis: [0x88, 0x98],
  'euc-kr': [0xb0, 0xc8],
};
function firstLevelOf(page: GuessedPage): ReadonlySet<string> {
  const known = firstLevels.get(page);
  if (known) return known;
  const range = ranges[page];
  const made = range ? charactersOf(page, ...range) : new Set<string>();
  firstLevels.set(page, made);
  return made;
}

const latin = /\p{Script=Latin}/u;
const cyrillicLetter = /\p{Script=Cyrillic}/u;
const asian = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]/;
const lettersOf: Readonly<Record<Writing, RegExp>> = {
  ...{ western: latin, central: latin, turkish: latin, baltic: latin, vietnamese: latin },
  ...{ cyrillic: cyrillicLetter, greek: /\p{Script=Greek}/u, hebrew: /[\u05d0-\u05ea]/ },
  ...{ arabic: /\p{Script=Arabic}/u, thai: /[\u0e01-\u0e3a\u0e40-\u0e4c]/ },
  ...{ simplified: asian, traditional: asian, japanese: asian, korean: asian },
};

/** Pages in which few lists come, and that have a letter for nearly every byte. */
const rarePages = new Set<GuessedPage>(['koi8-r', 'koi8-u', 'ibm866', 'windows-874', 'windows-1256']);

/** How much a character speaks for the page: 1 for a common one, -1 for none of its languages. */
export function worthOf(page: GuessedPage, one: string): number {
  if (commonCharacters[page].has(one)) return rarePages.has(page) ? 0.85 : 1;
  if (page === 'shift_jis' && /[\u3041-\u30ff]/.test(one)) return 0.8;
  if (firstLevelOf(page).has(one)) return 0.4;
  return lettersOf[writingOf(page)!].test(one) ? 0.1 : -1;
}

export const isUpper = (one: string): boolean => one !== one.toLowerCase();

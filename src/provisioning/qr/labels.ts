import { type QrMatrix, qrMatrix, qrSvg } from './draw.ts';

/** The content of one label. */
export interface Label {
  readonly name: string;
  /** Device id; null if the device cannot show it. */
  readonly deviceId: string | null;
  readonly broadcastName: string;
  /** The text of the code. */
  readonly content: string;
}

/** `a4`: sheets of 3 x 8 labels of 70 x 37 mm. `50x30`: a roll, one label a page, in mm. */
export const sheetNames = ['a4', '50x30'] as const;
export type SheetName = (typeof sheetNames)[number];
const labelsOfPage: Readonly<Record<SheetName, number>> = { a4: 24, '50x30': 1 };

export type LabelLanguage = 'zh-CN' | 'en';
export const labelLanguage = (locale: string): LabelLanguage => (/^zh/i.test(locale) ? 'zh-CN' : 'en');

const words = {
  'zh-CN': {
    title: '设备标签',
    deviceId: '设备编号',
    broadcastName: '蓝牙 / 热点名称',
    hint: {
      a4: 'A4，每页 3 × 8 张，每张 70 × 37 毫米。打印时请选择“实际大小（100%）”，页边距“无”。',
      '50x30': '每页一张，50 × 30 毫米。打印时请选择对应的标签纸、“实际大小（100%）”，页边距“无”。',
    },
  },
  en: {
    title: 'Device labels',
    deviceId: 'Device ID',
    broadcastName: 'Bluetooth / hotspot name',
    hint: {
      a4: 'A4, 3 × 8 labels of 70 × 37 mm a page. Print at 100 % (actual size), without margins.',
      '50x30': 'One label of 50 × 30 mm a page. Print on this label size at 100 % (actual size), without margins.',
    },
  },
} as const;

const style: Readonly<Record<SheetName | 'both', string>> = {
  both: `
*{box-sizing:border-box;margin:0}
body{font-family:"Noto Sans CJK SC","Source Han Sans SC","PingFang SC","Microsoft YaHei",sans-serif;color:#000;background:#e4e6e8}
.hint{font:14px/1.5 system-ui,"Noto Sans CJK SC",sans-serif;padding:12px 16px;background:#fff;border-bottom:1px solid #c4c8cc}
.page{background:#fff;margin:16px auto;box-shadow:0 1px 4px #0003}
.label{display:flex;align-items:center;overflow:hidden;break-inside:avoid}
.label svg{display:block;flex:none}
.label div{flex:1;min-width:0}
.label h2{font-weight:700;line-height:1.35;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;overflow-wrap:anywhere}
.label dt{color:#444;line-height:1.2}
.label dd{font-family:"DejaVu Sans Mono","Noto Sans Mono",Consolas,Menlo,monospace;line-height:1.2;overflow-wrap:anywhere}
@media print{body{background:none}.hint{display:none}.page{margin:0;box-shadow:none;break-after:page}.page:last-child{break-after:auto}}`,
  a4: `
@page{size:A4;margin:0}
.page{width:210mm;height:296.9mm;padding-top:.45mm;display:grid;grid-template-columns:repeat(3,70mm);grid-auto-rows:37mm}
.label{padding:2mm 4mm 2mm 3.5mm;gap:1mm}.label svg{width:29.5mm;height:29.5mm}
.label h2{font-size:3.6mm;margin-bottom:.7mm}.label dt{font-size:2.1mm}
.label dd{font-size:clamp(2.3mm,32mm/(var(--characters)*.61),2.9mm);margin-bottom:.8mm}
@media screen{.label{outline:.2mm dashed #c4c8cc}}`,
  '50x30': `
@page{size:50mm 30mm;margin:0}
.page{width:50mm;height:29.9mm}
.label{height:29.9mm;padding:1mm 1.5mm 1mm .5mm;gap:.5mm}.label svg{width:25.5mm;height:25.5mm}
.label h2{font-size:2.9mm;margin-bottom:.4mm}.label dt{font-size:1.8mm}.label dd{font-size:2.3mm;margin-bottom:.5mm}
.long h2{font-size:2.3mm}.long dd{font-size:1.8mm}`,
};

/**
 * A sheet of labels as one HTML file to print: no script, nothing from elsewhere. It comes in
 * pieces, and between two labels others have their turn: drawing one takes milliseconds, and there
 * may be thousands.
 */
export async function* labelSheet(
  labels: Iterable<Label>,
  { sheet, language }: { readonly sheet: SheetName; readonly language: LabelLanguage },
): AsyncGenerator<string> {
  const { title, hint } = words[language];
  yield `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width"/>
<title>${title}</title>
<style>${style.both}${style[sheet]}
</style>
</head>
<body>
<p class="hint">${hint[sheet]}</p>
`;
  let count = 0;
  for (const label of labels) {
    if (count % labelsOfPage[sheet] === 0) yield `${count > 0 ? '</section>\n' : ''}<section class="page">\n`;
    yield labelHtml(label, qrMatrix(label.content), language);
    count++;
    await new Promise(resolve => setImmediate(resolve));
  }
  yield `${count > 0 ? '</section>\n' : ''}</body>\n</html>\n`;
}

/**
 * From this many characters on the small label is written in small letters, so that the longest
 * names of SPEC 2.2 and 2.3 still fit.
 */
const longCharacters = 50;

function labelHtml({ name, deviceId, broadcastName }: Label, matrix: QrMatrix, language: LabelLanguage): string {
  const { deviceId: idWord, broadcastName: nameWord } = words[language];
  const long = (deviceId?.length ?? 0) + broadcastName.length > longCharacters ? ' long' : '';
  const idLine = deviceId === null ? '' : `<dt>${idWord}</dt>${line(deviceId, deviceId.indexOf('_') + 1)}`;
  return `<article class="label${long}">${qrSvg(matrix)}<div><h2>${escaped(name)}</h2><dl>${idLine}<dt>${nameWord}</dt>${line(broadcastName, -6)}</dl></div></article>
`;
}

/**
 * As large as fits on one line, if that is readable; else it breaks at `at`, or anywhere if it
 * must.
 */
const line = (text: string, at: number): string =>
  `<dd style="--characters:${text.length}">${escaped(text.slice(0, at))}<wbr/>${escaped(text.slice(at))}</dd>`;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters have no place in HTML either. */
export const escaped = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').replace(/[&<>"']/g, one => escapes[one]!);

import { qrMatrix, qrSvg } from './draw.ts';
import { escaped } from './labels.ts';

/** The label of a box, with its secrets. */
interface BoxLabel {
  readonly name: string;
  readonly serial: string;
  readonly deviceId: string;
  /** The text of its code in form 1 (SPEC 2.4), for the platform's app. */
  readonly content: string;
  readonly hotspotName: string;
  readonly hotspotKey: string;
  readonly setupCode: string;
}

const labelsOfPage = 8;

/** Sheets of 2 x 4 labels of 105 x 74 mm. */
const style = `
*{box-sizing:border-box;margin:0}
@page{size:A4;margin:0}
body{font-family:"Noto Sans CJK SC","Source Han Sans SC","PingFang SC","Microsoft YaHei",sans-serif;color:#000;background:#e4e6e8}
.hint{font:14px/1.5 system-ui,"Noto Sans CJK SC",sans-serif;padding:12px 16px;background:#fff;border-bottom:1px solid #c4c8cc}
.page{background:#fff;margin:16px auto;box-shadow:0 1px 4px #0003;width:210mm;height:296.9mm;display:grid;grid-template-columns:repeat(2,105mm);grid-auto-rows:74.2mm}
.label{padding:4mm 5mm;overflow:hidden;break-inside:avoid}
.label h2{font-size:4.2mm;line-height:1.3;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.codes{display:flex;gap:4mm;margin:1mm 0}
figure{width:28mm;text-align:center}
figure svg{display:block;width:28mm;height:28mm}
figcaption{font-size:2.1mm;line-height:1.25}
.label dl{display:grid;grid-template-columns:auto 1fr;column-gap:2.5mm;align-items:baseline}
.label dt{font-size:2.2mm;color:#444;line-height:1.5;white-space:nowrap}
.label dd{font:2.9mm/1.3 "DejaVu Sans Mono","Noto Sans Mono",Consolas,Menlo,monospace;overflow-wrap:anywhere}
.steps{font-size:2.4mm;line-height:1.4;flex:1}
.steps p+p{margin-top:1mm}
@media screen{.label{outline:.2mm dashed #c4c8cc}}
@media print{body{background:none}.hint{display:none}.page{margin:0;box-shadow:none;break-after:page}.page:last-child{break-after:auto}}`;

const hint =
  'A4，每页 2 × 4 张，每张 105 × 74 毫米；打印时请选择“实际大小（100%）”，页边距“无”。标签上有密码，请妥善保管。<br/>A4, 2 × 4 labels of 105 × 74 mm a page; print at 100 % (actual size), without margins. The labels hold passwords: keep them safe.';

/**
 * One HTML file to print, in Chinese and English on each label: no script, nothing from elsewhere.
 * It comes in pieces, as `labelSheet` does.
 */
export async function* boxLabelSheet(labels: Iterable<BoxLabel>): AsyncGenerator<string> {
  yield `<!DOCTYPE html>
<html lang="zh-CN">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width"/>
<title>网关标签 / Labels of boxes</title>
<style>${style}
</style>
</head>
<body>
<p class="hint">${hint}</p>
`;
  let count = 0;
  for (const label of labels) {
    if (count % labelsOfPage === 0) yield `${count > 0 ? '</section>\n' : ''}<section class="page">\n`;
    yield labelHtml(label);
    count++;
    await new Promise(resolve => setImmediate(resolve));
  }
  yield `${count > 0 ? '</section>\n' : ''}</body>\n</html>\n`;
}

function labelHtml({ name, serial, deviceId, content, hotspotName, hotspotKey, setupCode }: BoxLabel): string {
  const join = `WIFI:T:WPA;S:${wifiText(hotspotName)};P:${wifiText(hotspotKey)};;`;
  const rows = [
    ['序列号 Serial number', serial],
    ['设备编号 Device ID', deviceId],
    ['热点 Hotspot', hotspotName],
    ['密码 Password', hotspotKey],
    ['设置码 Setup code', setupCode],
  ] as const;
  const list = rows.map(([word, value]) => `<dt>${word}</dt><dd>${escaped(value)}</dd>`).join('');
  return `<article class="label"><h2>${escaped(name)}</h2><div class="codes"><figure>${qrSvg(qrMatrix(join))}<figcaption>连接热点<br/>Join the hotspot</figcaption></figure><figure>${qrSvg(qrMatrix(content))}<figcaption>用应用扫描<br/>Scan with the app</figcaption></figure><div class="steps" lang="zh-CN"><p>通电，连接热点，在弹出的页面中选择网络；再用浏览器打开网关，凭设置码创建账户。</p><p lang="en">Join the hotspot and choose the network on its page. Then open the box in a browser: the setup code makes the first account.</p></div></div><dl>${list}</dl></article>
`;
}

/** As phones read the text of a wifi code. */
const wifiText = (text: string): string => text.replace(/[\\;,:"]/g, sign => `\\${sign}`);

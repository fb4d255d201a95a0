import { encode } from 'uqr';

/** Rows of modules, true where it is dark; without the quiet zone. */
export type QrMatrix = readonly (readonly boolean[])[];

/** Light modules that every reader may count on around a code (ISO 18004). */
export const quietModules = 4;

/** On a screen that shines in the dark two are enough, and the code fits a window of 24 lines. */
const quietModulesOfText = 2;

/**
 * Error correction M: 15 % of the code may be lost. Throws where the text is longer than a code can
 * hold: 2331 bytes.
 */
export const qrMatrix = (content: string): QrMatrix => encode(content, { ecc: 'M', boostEcc: false, border: 0 }).data;

/** With its quiet zone on white, as large as its surroundings let it; on its own `pixels` wide. */
export function qrSvg(matrix: QrMatrix, { pixels = 360 }: { readonly pixels?: number } = {}): string {
  const side = matrix.length + 2 * quietModules;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${darkRuns(matrix)}"/></svg>`;
}

/**
 * Each run of dark modules of a row is one rectangle: a third of the length of one for each module.
 */
function darkRuns(matrix: QrMatrix): string {
  let path = '';
  for (const [y, row] of matrix.entries())
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const begin = x;
      while (row[x + 1]) x++;
      const width = x + 1 - begin;
      path += `M${begin + quietModules} ${y + quietModules}h${width}v1h-${width}z`;
    }
  return path;
}

/**
 * For a terminal, two rows of modules on each line, in half blocks. `colours`: black on white by
 * escape codes, right on any background. Without, the light modules are what is drawn, as the
 * background of most terminals is dark.
 */
export function qrText(matrix: QrMatrix, { colours }: { readonly colours: boolean }): string {
  const [begin, end] = colours ? ['\u001b[38;5;16;48;5;231m', '\u001b[0m'] : ['', ''];
  const isDrawn = (x: number, y: number): boolean => (matrix[y]?.[x] ?? false) === colours;
  let text = '';
  for (let y = -quietModulesOfText; y < matrix.length + quietModulesOfText; y += 2) {
    let line = '';
    for (let x = -quietModulesOfText; x < matrix.length + quietModulesOfText; x++)
      line += ' ▄▀█'[(isDrawn(x, y) ? 2 : 0) + (isDrawn(x, y + 1) ? 1 : 0)];
    text += `${begin}${line}${end}\n`;
  }
  return text;
}

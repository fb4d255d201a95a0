/** Milliseconds with as many digits as a reader can use: 0.004, 0.65, 12. */
export const shortTime = (ms: number): string => String(Number(ms.toPrecision(2)));

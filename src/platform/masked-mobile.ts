/**
 * A mobile number as a viewer sees it: `138****0000`. A short one shows its last two digits at
 * most.
 */
export function maskedMobile(mobile: string): string {
  if (mobile === '') return '';
  const characters = [...mobile];
  const [shownFirst, shownLast] = characters.length >= 9 ? [3, 4] : characters.length >= 5 ? [0, 2] : [0, 0];
  return `${characters.slice(0, shownFirst).join('')}****${characters.slice(characters.length - shownLast).join('')}`;
}

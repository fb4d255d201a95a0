const steps: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrow keys move from the button of one cell of a table to that of the next that has one. */
export function moveFocus(event: KeyboardEvent): void {
  const step = steps[event.key];
  const cell = event.target instanceof HTMLElement && event.target.closest('td');
  if (!step || !cell) return;
  const [across, down] = step;
  let row = cell.parentElement as HTMLTableRowElement | null;
  let place = cell.cellIndex;
  for (;;) {
    place += across;
    if (down !== 0) row = (down > 0 ? row?.nextElementSibling : row?.previousElementSibling) as typeof row;
    const next = row?.cells[place];
    if (!next) return;
    const button = next.querySelector('button');
    // A phone hides the days that no filter has found.
    if (!button || next.tagName === 'TH' || button.offsetParent === null) continue;
    event.preventDefault();
    button.focus();
    return;
  }
}

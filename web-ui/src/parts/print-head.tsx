import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { upToRecord } from '../api.ts';
import { goesOn, hasList, preparing, printAll, rowsPrintedMax } from '../printing.ts';
import { session } from '../session.ts';
import { area } from '../words/index.ts';
import { Icon } from './icon.tsx';
import { now } from './now.ts';
import { count, moment } from './numbers.ts';

const said = area(
  {
    print: 'Print',
    preparing: 'Loading all rows …',
    printed: (at: string, who: string) => `Printed ${at} by ${who}`,
    upTo: (record: string) => `Includes records up to number ${record}`,
    cut: (rows: string) => `Incomplete list: the button “Print” prints up to ${rows} rows, the export has all.`,
  },
  {
    print: '打印',
    preparing: '正在加载全部行……',
    printed: (at, who) => `${who} 打印于 ${at}`,
    upTo: record => `数据截至第 ${record} 条记录`,
    cut: rows => `列表不完整：“打印”按钮最多打印 ${rows} 行，导出包含全部。`,
  },
);

/** Prints the whole list, not only the rows that are shown: beside the name of a page that has one. */
export function PrintButton() {
  if (!hasList.value) return null;
  return (
    <button type="button" class="print" disabled={preparing} onClick={() => void printAll()}>
      <Icon name="print" />
      {preparing.value ? said.value.preparing : said.value.print}
    </button>
  );
}

/**
 * On paper alone: the site, what the list is filtered by, when it was printed and by whom, up to
 * which record it holds, and that rows are missing. Ctrl-P prints whole lists too.
 */
export function PrintHead() {
  const filters = useSignal('');
  const at = useSignal(0);
  const { path } = useLocation();
  const upTo = upToRecord.value?.page === path ? upToRecord.value.record : null;
  useEffect(() => {
    const before = () => {
      filters.value = filtersOf(document.querySelectorAll('main .bar'));
      at.value = now.peek();
    };
    const pressed = (event: KeyboardEvent) => {
      const isPrint = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isPrint || !goesOn.peek() || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      void printAll();
    };
    addEventListener('beforeprint', before);
    addEventListener('keydown', pressed);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('keydown', pressed);
    };
  }, [filters, at]);
  return (
    <div class="print-head" aria-hidden="true">
      <p>
        <b>{session.value?.site.name}</b>
        <span>{said.value.printed(moment(at.value || now.value), session.value?.user?.name ?? '')}</span>
      </p>
      {upTo !== null && <p>{said.value.upTo(count(upTo))}</p>}
      {filters.value && <p>{filters.value}</p>}
      {goesOn.value && <p class="cut">{said.value.cut(count(rowsPrintedMax))}</p>}
    </div>
  );
}

/** "Department: Assembly · Status: Active": choices in the bars above a list, and its pressed filters. */
function filtersOf(bars: Iterable<Element>): string {
  const found: string[] = [];
  for (const bar of bars)
    for (const label of bar.querySelectorAll('label')) {
      const field = label.control as HTMLInputElement | HTMLSelectElement | null;
      const value =
        field instanceof HTMLSelectElement
          ? (field.selectedOptions[0]?.text ?? '')
          : field?.type === 'checkbox' || field?.type === 'file'
            ? ''
            : (field?.value ?? '');
      const name = [...label.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)?.textContent?.trim();
      if (name && value) found.push(`${name}: ${value}`);
    }
  for (const chips of document.querySelectorAll('main .statuses')) {
    const pressed = [...chips.querySelectorAll('[aria-pressed=true]')].map(({ textContent }) => textContent?.trim());
    if (pressed.length > 0) found.push(`${chips.getAttribute('aria-label')}: ${pressed.join(', ')}`);
  }
  return found.join(' · ');
}

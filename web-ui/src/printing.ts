import { computed, signal } from '@preact/signals';

/** A list that is loaded page by page, as `usePages` has it. */
export interface PagedList {
  readonly state: { readonly value: ListState };
  /**
   * Loads what is below, until there are `rowsMax` rows, and shows it at once: a list that is drawn
   * again with every page takes longer the longer it is. Done when it is shown or was refused.
   */
  readonly rest: (rowsMax: number) => Promise<void>;
}
interface ListState {
  readonly more: boolean;
}

/** Of a page, as many as can be laid out within seconds; the export of the list has all. */
export const rowsPrintedMax = 5000;

const lists = signal<ReadonlySet<PagedList>>(new Set());

/** While the rest of the lists is loaded to be printed. */
export const preparing = signal(false);
/** A list of this page goes on below what is shown. */
export const goesOn = computed(() => [...lists.value].some(({ state }) => state.value.more));
/** This page has a list. */
export const hasList = computed(() => lists.value.size > 0);

/** Returns what takes it out again. */
export function addList(list: PagedList): () => void {
  lists.value = new Set(lists.peek()).add(list);
  return () => {
    const left = new Set(lists.peek());
    left.delete(list);
    lists.value = left;
  };
}

/** Loads what the lists of this page have beyond what is shown, up to the bound, and prints. */
export async function printAll(): Promise<void> {
  if (preparing.peek()) return;
  preparing.value = true;
  try {
    for (const { rest } of lists.peek()) await rest(rowsPrintedMax);
    // The rows are in the page after the next frame.
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  } finally {
    preparing.value = false;
  }
  print();
}

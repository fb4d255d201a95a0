import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { SearchReport } from '../../../src/admin/ui/search.ts';
import { get } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { groupsOf } from './items.ts';
import { paletteOpened } from './opened.ts';
import type { Place } from './places.ts';
import { remember } from './recent.ts';
import { said } from './words.ts';
import './palette.css';

const typingMs = 120;

/**
 * The search, as a combobox: the focus stays in the field, the arrows move through the list, Enter
 * opens, Escape closes and gives the focus back.
 */
export function Palette() {
  const text = said.value;
  const { route } = useLocation();
  const typed = useSignal('');
  const found = useFound(typed.value);
  const chosen = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const groups = groupsOf(typed.value.trim(), found.value);
  const items = groups.flatMap(group => group.items);
  const active = Math.min(chosen.value, items.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const close = () => {
    paletteOpened.value = false;
  };
  const open = (item: Place | undefined) => {
    if (!item) return;
    close();
    if (item.href === undefined) return item.act?.();
    remember({ ...item, href: item.href });
    route(item.href);
  };
  const move = (by: number) => {
    if (items.length > 0) chosen.value = (active + by + items.length) % items.length;
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => open(items[active]),
  };
  let index = -1;
  return (
    <Dialog title={text.title} close={close} kind="palette">
      <input
        type="text"
        role="combobox"
        {...noDatalist}
        autofocus
        aria-label={text.title}
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={active < 0 ? undefined : `palette-${active}`}
        placeholder={text.lead}
        autocomplete="off"
        spellcheck={false}
        maxLength={100}
        onInput={event => {
          event.stopPropagation();
          typed.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={event => {
          const act = moves[event.key];
          // Enter in the middle of a Chinese word ends the word.
          if (!act || event.isComposing) return;
          event.preventDefault();
          act();
        }}
      />
      <p class="heard-only" role="status">
        {found.searching ? text.searching : text.count(items.length)}
      </p>
      <NothingRefused found={found.value} />
      <div class="palette-list" id="palette-list" role="listbox" aria-label={text.title} ref={list}>
        {groups.map(({ name, items: ofGroup }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options; a listbox holds no fieldset
          <div key={name} role="group" aria-labelledby={`palette-${name}`}>
            <div class="palette-group" role="presentation" id={`palette-${name}`}>
              {text.groups[name]}
            </div>
            {ofGroup.map(item => {
              index++;
              const own = index;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                <div
                  key={`${item.href ?? ''} ${item.title} ${item.note}`}
                  id={`palette-${own}`}
                  role="option"
                  aria-selected={own === active}
                  onMouseDown={event => event.preventDefault()}
                  onClick={() => open(item)}
                >
                  <span>{item.title}</span>
                  {item.note !== '' && <small>{item.note}</small>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && !found.searching && <p class="quiet">{text.count(0)}</p>}
      <p class="quiet palette-keys">{text.keys}</p>
    </Dialog>
  );
}

/** The types expect of a combobox that it has a `<datalist>`. */
const noDatalist = { list: undefined };

/** A question without an answer. */
function NothingRefused({ found }: { found: SearchReport | null }) {
  if (!found?.asks_why || found.refused_devices.length + found.refused_calls.length > 0) return null;
  return <p>{found.about === '' ? said.value.noRefusals : said.value.noRefusal(found.about)}</p>;
}

/** Answer of the box, once the typing pauses; the previous one stays until then. */
function useFound(typed: string): { readonly value: SearchReport | null; readonly searching: boolean } {
  const value = useSignal<SearchReport | null>(null);
  const searching = useSignal(false);
  useEffect(() => {
    if (typed.trim() === '') {
      value.value = null;
      searching.value = false;
      return;
    }
    const leaving = new AbortController();
    searching.value = true;
    const timer = setTimeout(() => {
      get('/search', { q: typed }, leaving.signal).then(
        report => {
          value.value = report;
          searching.value = false;
        },
        () => {
          if (leaving.signal.aborted) return;
          value.value = null;
          searching.value = false;
        },
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [typed]);
  return { value: value.value, searching: searching.value };
}

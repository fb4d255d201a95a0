import { useLoaded } from '../loaded.ts';
import { hasBoxes } from '../session.ts';
import { area } from '../words/index.ts';
import { Choice } from './field.tsx';

const said = area({ site: 'Site', all: 'All', here: 'This gateway' }, { site: '站点', all: '全部', here: '本网关' });

interface Chosen {
  /** Id of a box below, or `here`; empty: all. */
  readonly value: string;
  readonly choose: (box: string) => void;
}

/** Which box below the page is about; nothing where there are none. */
export const SiteChoice = (chosen: Chosen) => (hasBoxes() ? <OfBoxes {...chosen} /> : null);

function OfBoxes({ value, choose }: Chosen) {
  const { loaded } = useLoaded('/box-names');
  const boxes = loaded.value.data?.rows ?? [];
  const words = said.value;
  // A link may name a box that was taken off the list.
  const isKnown = value === '' || value === 'here' || boxes.some(({ box_id: id }) => id === value);
  return (
    <Choice label={words.site} value={value} onChange={event => choose(event.currentTarget.value)}>
      <option value="">{words.all}</option>
      <option value="here" selected={value === 'here'}>
        {words.here}
      </option>
      {boxes.map(({ box_id: id, name }) => (
        <option key={id} value={id} selected={id === value}>
          {name || id}
        </option>
      ))}
      {!isKnown && (
        <option value={value} selected>
          {value}
        </option>
      )}
    </Choice>
  );
}

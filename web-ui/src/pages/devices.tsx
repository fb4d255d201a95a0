import { words } from '../words/index.ts';

export default function Devices() {
  return <h1 class="sentence">{words.value.nav.devices}</h1>;
}

import { words } from '../words/index.ts';

export default function Sync() {
  return <h1 class="sentence">{words.value.nav.sync}</h1>;
}

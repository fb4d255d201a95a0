import { words } from '../words/index.ts';

export default function Access() {
  return <h1 class="sentence">{words.value.nav.access}</h1>;
}

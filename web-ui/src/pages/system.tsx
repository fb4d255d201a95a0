import { words } from '../words/index.ts';

export default function System() {
  return <h1 class="sentence">{words.value.nav.system}</h1>;
}

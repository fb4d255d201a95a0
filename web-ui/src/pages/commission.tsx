import { words } from '../words/index.ts';

export default function Commission() {
  return <h1 class="sentence">{words.value.nav.commission}</h1>;
}

import { words } from '../words/index.ts';

export default function People() {
  return <h1 class="sentence">{words.value.nav.people}</h1>;
}

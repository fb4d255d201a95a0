import { words } from '../words/index.ts';

export default function Logs() {
  return <h1 class="sentence">{words.value.nav.logs}</h1>;
}

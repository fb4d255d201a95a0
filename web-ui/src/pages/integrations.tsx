import { words } from '../words/index.ts';

export default function Integrations() {
  return <h1 class="sentence">{words.value.nav.integrations}</h1>;
}

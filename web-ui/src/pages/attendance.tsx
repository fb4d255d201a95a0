import { words } from '../words/index.ts';

export default function Attendance() {
  return <h1 class="sentence">{words.value.nav.attendance}</h1>;
}

import { render } from 'preact';
import { App } from './app.tsx';
import { pageRuns, stylesArrived } from './shell/again.ts';
import './style/lists.css';
import './style/forms.css';
import './style/print.css';

pageRuns();
// The shell is painted without the style sheet of the pages; the pages wait for it.
await stylesArrived();
render(<App />, document.getElementById('app')!);

import { render } from 'preact';
import { App } from './app.tsx';
import './style/lists.css';
import './style/forms.css';
import './style/print.css';

/** The shell is painted without the style sheet of the pages; the pages wait for it. */
const styles = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
if (styles && !styles.sheet)
  await new Promise(done => {
    styles.addEventListener('load', done);
    styles.addEventListener('error', done);
  });
render(<App />, document.getElementById('app')!);

import { render } from 'preact';
import { App } from './app.tsx';
import 'gatehouse:look.css';
import './style/base.css';
import './style/frame.css';
import './style/lists.css';
import './style/forms.css';
import './style/print.css';

render(<App />, document.getElementById('app')!);

import { render } from 'preact';
import { App } from './app';
import './styles/tokens.css';
import './styles/base.css';
import './styles/card.css';
import './styles/controls.css';
import './styles/dialog.css';
import './styles/layout.css';
import './styles/now.css';
import './styles/tasks.css';
import './styles/history.css';
import './styles/plot.css';
import './styles/libraries.css';
import './styles/items.css';
import './styles/system.css';
import './styles/narrow.css';

render(<App />, document.getElementById('app')!);

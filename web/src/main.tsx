import { render } from 'preact';
import '@xterm/xterm/css/xterm.css';
import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/views.css';
import { App } from './app.tsx';
import { begin, hasCode } from './session.ts';
import { beginTheme } from './theme.ts';

beginTheme();
void begin();
addEventListener('hashchange', () => {
  if (hasCode()) void begin();
});
const place = document.getElementById('app');
if (place) render(<App />, place);

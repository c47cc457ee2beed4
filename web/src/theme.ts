// Light, dark, or as the system has it.
import { Live } from './live.ts';

export type Theme = 'system' | 'light' | 'dark';
const stored = 'cordon.theme';

const known = (text: string | null): Theme =>
  text === 'light' || text === 'dark' ? text : 'system';

export const theme = new Live<Theme>('system');

function apply(chosen: Theme): void {
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}

export function beginTheme(): void {
  theme.set(known(localStorage.getItem(stored)));
  apply(theme.value);
  theme.follow((chosen) => {
    localStorage.setItem(stored, chosen);
    apply(chosen);
  });
}

import { lasting } from './storage';
import { makeStore } from './store';

export type Theme = 'auto' | 'light' | 'dark';
const slot = 'understudy.theme';

function load(): Theme {
  const kept = lasting.get(slot);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export const theme = makeStore<Theme>(load());

const dark = matchMedia('(prefers-color-scheme: dark)');
/** What the system wants, for what is painted and follows no style sheet. */
export const systemIsDark = makeStore(dark.matches);
dark.addEventListener('change', () => systemIsDark.set(dark.matches));

function show(value: Theme): void {
  if (value === 'auto') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset.theme = value;
}

show(theme.get());
theme.listen((value) => {
  lasting.set(slot, value);
  show(value);
});

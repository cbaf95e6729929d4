import { observe, type Term } from './leader';
import { serverNow } from './time';

// Kept for this window alone: the server has no history of who led, so what was looked at is all there is.
const slot = 'understudy.terms';
let terms: Term[] = load();

function load(): Term[] {
  try {
    return JSON.parse(sessionStorage.getItem(slot) ?? '[]') as Term[];
  } catch {
    return [];
  }
}

export function seenTerms(): readonly Term[] {
  return terms;
}

export function remember(pod: string | null): void {
  terms = observe(terms, pod, serverNow());
  sessionStorage.setItem(slot, JSON.stringify(terms));
}

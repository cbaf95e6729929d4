import { afterEach, expect, test, vi } from 'vitest';
import { lasting, passing } from '../../src/lib/storage';

afterEach(() => void vi.unstubAllGlobals());

test('a browser that keeps nothing is remembered for', () => {
  const blocked = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  lasting.set('a', '1');
  expect(lasting.get('a')).toBe('1');
  expect(passing.get('a')).toBe(null); // no sessionStorage at all
  lasting.remove('a');
  expect(lasting.get('a')).toBe(null);
});

test('what a browser keeps is what counts', () => {
  const kept = new Map([['a', 'of another window']]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  expect(lasting.get('a')).toBe('of another window');
  lasting.set('a', '2');
  expect(kept.get('a')).toBe('2');
  lasting.remove('a');
  expect(kept.size).toBe(0);
});

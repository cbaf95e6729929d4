import { describe, expect, it } from 'vitest';
import { lastLines } from '../../src/lib/log_lines';

describe('the last lines of a log', () => {
  const log = 'info a starts\nwarn b is slow\ninfo c ends\n';
  it('are all of a short one, without the empty line at its end', () => {
    expect(lastLines(log, '', 10)).toEqual({ text: 'info a starts\nwarn b is slow\ninfo c ends', cut: 0 });
  });
  it('are those that hold a word in any case', () => {
    expect(lastLines(log, ' INFO ', 10)).toEqual({ text: 'info a starts\ninfo c ends', cut: 0 });
    expect(lastLines(log, 'nothing', 10)).toEqual({ text: '', cut: 0 });
  });
  it('say how many are left out', () => {
    expect(lastLines(log, 'info', 1)).toEqual({ text: 'info c ends', cut: 1 });
  });
});

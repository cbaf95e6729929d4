import { describe, expect, test } from 'vitest';
import { ago, bitrate, bytes, clock, countdown, counts, duration, plural, position, rate } from '../../src/lib/format';

const s = 1_000,
  min = 60 * s,
  h = 60 * min,
  d = 24 * h;

test.each([
  [0, '0 s'],
  [12, '12 ms'],
  [94.4, '94 ms'],
  [400, '0.4 s'],
  [1_000, '1 s'],
  [1_240, '1.2 s'],
  [9_940, '9.9 s'],
  [9_960, '10 s'],
  [59.4 * s, '59 s'],
  [59.6 * s, '1 min'],
  [3 * min + 5 * s, '3 min 05 s'],
  [59 * min + 59.7 * s, '1 h'],
  [2 * h + 4 * min, '2 h 04 min'],
  [23 * h + 59.6 * min, '1 d'],
  [5 * d + 3 * h, '5 d 3 h'],
  [7 * d, '7 d'],
  [-5, '0 s'],
  [Infinity, '–'],
])('a duration of %d ms is “%s”', (ms, text) => expect(duration(ms)).toBe(text));

test('a countdown never shows more than is left', () => {
  expect(countdown(10_999, 0)).toBe('in 10 s');
  expect(countdown(999, 0)).toBe('now');
  expect(countdown(0, 5_000)).toBe('now');
  expect(countdown(2 * h + 10 * min + 59 * s, 0)).toBe('in 2 h 10 min');
});

test('the past is told in one unit', () => {
  expect(ago(0, 1_500)).toBe('just now');
  expect(ago(0, 59_999)).toBe('59 s ago');
  expect(ago(0, 3 * h)).toBe('3 h ago');
  expect(ago(0, 3 * d)).toBe('3 d ago');
  expect(ago(10 * s, 0)).toBe('just now'); // a clock that is ahead
});

describe('a time of day', () => {
  const at = Date.UTC(2026, 10, 30, 23, 30);
  test('needs no day on the same one, in the zone that is shown', () => {
    expect(clock(at, at - h, 'UTC')).toBe('23:30');
    expect(clock(at, at - h, 'Europe/Berlin')).toBe('Tue 00:30');
    expect(clock(at, at + h, 'Europe/Berlin')).toBe('00:30');
    expect(clock(at, at + h, 'UTC')).toBe('Mon 23:30');
    expect(clock(at, at + 20 * d, 'UTC')).toBe('30 Nov, 23:30');
    expect(clock(at, at, 'UTC', true)).toBe('23:30:00');
  });
});

test('rates are in the unit of the task', () => {
  expect(rate('files', 1234.5)).toBe('1,235 files/s');
  expect(rate('files', 42.4)).toBe('42 files/s');
  expect(rate('MB', 0.25)).toBe('0.3 MB/s');
  expect(rate('s of media', 88)).toBe('88 × real time');
});

test('sizes and bit rates', () => {
  expect([0, 999, 999_600, 1_500_000, 123_400_000_000].map(bytes)).toEqual([
    '0 B',
    '999 B',
    '1.0 MB',
    '1.5 MB',
    '123 GB',
  ]);
  expect([467_000, 12_340_000].map(bitrate)).toEqual(['467 kbit/s', '12.3 Mbit/s']);
});

test('positions in a film', () => expect([0, 65_900, 3_723_000].map(position)).toEqual(['0:00', '1:05', '1:02:03']));

test('counts leave out what is nought and know one from many', () => {
  expect(counts({ added: 14, failed: 0, kept_offline: 2 })).toBe('14 added · 2 kept offline');
  expect(counts({ files: 1, items_changed: 1, from_chapters: 1, series: 1, tracks: 1200 })).toBe(
    '1 file · 1 item changed · 1 from chapters · 1 series · 1,200 tracks',
  );
  expect(counts({})).toBe('');
  expect(plural(1, 'problem') + ', ' + plural(2, 'problem')).toBe('1 problem, 2 problems');
});

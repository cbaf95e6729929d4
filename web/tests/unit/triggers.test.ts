import { describe, expect, test } from 'vitest';
import { describe as say, DraftError, fromDraft, newDraft, splitInterval, toDraft } from '../../src/lib/triggers';
import type { Trigger } from '../../src/lib/types';

const stored: [Trigger, string][] = [
  [{ type: 'DailyTrigger', timeOfDayTicks: 108_000_000_000 }, 'Every day at 03:00'],
  [
    { type: 'DailyTrigger', timeOfDayTicks: 108_300_000_000, maxRuntimeTicks: 144_000_000_000 },
    'Every day at 03:00:30, at most 4 h',
  ],
  [{ type: 'WeeklyTrigger', dayOfWeek: 'Sunday', timeOfDayTicks: 863_400_000_000 }, 'Sundays at 23:59'],
  [{ type: 'IntervalTrigger', intervalTicks: 432_000_000_000 }, 'Every 12 h'],
  [{ type: 'IntervalTrigger', intervalTicks: 905_000_000 }, 'Every 1 min 31 s'],
  [{ type: 'IntervalTrigger', intervalTicks: 864_000_000_000 }, 'Every 24 h'],
  [{ type: 'IntervalTrigger', intervalTicks: 6_048_000_000_000 }, 'Every 7 days'],
  [{ type: 'StartupTrigger' }, 'At start'],
];

test.each(stored)('%j reads “%s”', (trigger, text) => expect(say(trigger)).toBe(text));

test.each(stored)('the editor gives %j back as it was', (trigger) => {
  const back = fromDraft(toDraft(trigger));
  const lower = Object.fromEntries(
    Object.entries(back).map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value]),
  );
  expect(lower).toEqual(trigger);
});

test.each([
  [86_400_000, 1, 'd'],
  [43_200_000, 12, 'h'],
  [5_400_000, 90, 'min'],
  [90_500, 90.5, 's'],
  [500, 0.5, 's'],
])('%d ms is %d %s', (ms, every, unit) => expect(splitInterval(ms)).toEqual({ every, unit }));

describe('what was typed', () => {
  test.each([
    ['3:05', 111_000_000_000],
    [' 03:05 ', 111_000_000_000],
    ['23:59:59', 863_990_000_000],
  ])('the time “%s” is taken', (time, ticks) => expect(fromDraft({ ...newDraft, time }).TimeOfDayTicks).toBe(ticks));
  test.each(['', '3', '03:0', '3 pm', 'noon'])('the time “%s” is refused by name', (time) =>
    expect(() => fromDraft({ ...newDraft, time })).toThrow(DraftError),
  );
  test('what is a time but none of this earth is left to the server to refuse', () =>
    expect(fromDraft({ ...newDraft, time: '25:00' }).TimeOfDayTicks).toBe(900_000_000_000));
  test('a comma is a point', () =>
    expect(fromDraft({ ...newDraft, type: 'IntervalTrigger', every: '1,5', unit: 'h' }).IntervalTicks).toBe(
      54_000_000_000,
    ));
  test.each(['', 'x', '1e', 'NaN', 'Infinity'])('the interval “%s” is refused', (every) =>
    expect(() => fromDraft({ ...newDraft, type: 'IntervalTrigger', every })).toThrow(/Interval/),
  );
  test('a limit is in hours, and none is none', () => {
    expect(fromDraft({ ...newDraft, limitHours: '0.5' }).MaxRuntimeTicks).toBe(18_000_000_000);
    expect(fromDraft(newDraft)).not.toHaveProperty('MaxRuntimeTicks');
  });
});

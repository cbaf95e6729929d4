import { duration, ticksPerMs } from './format';
import type { Trigger } from './types';

export const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const units = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export type Unit = keyof typeof units;

/** A trigger as the editor holds it: what was typed, valid or not. */
export interface Draft {
  type: 'DailyTrigger' | 'WeeklyTrigger' | 'IntervalTrigger' | 'StartupTrigger';
  time: string; // `03:00` or `03:00:30`
  day: string;
  every: string;
  unit: Unit;
  limitHours: string; // empty: none
}

export const newDraft: Draft = {
  type: 'DailyTrigger',
  time: '03:00',
  day: 'Sunday',
  every: '12',
  unit: 'h',
  limitHours: '',
};

function timeText(ticks: number): string {
  const ms = ticks / ticksPerMs;
  const pad = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const seconds = (ms / 1000) % 60;
  return `${pad(ms / units.h)}:${pad((ms / units.min) % 60)}${seconds >= 1 ? `:${pad(seconds)}` : ''}`;
}

/** The largest unit that leaves a whole number. */
export function splitInterval(ms: number): { every: number; unit: Unit } {
  for (const unit of ['d', 'h', 'min'] as const) {
    if (ms >= units[unit] && ms % units[unit] === 0) return { every: ms / units[unit], unit };
  }
  return { every: ms / units.s, unit: 's' };
}

export function toDraft(trigger: Trigger): Draft {
  const draft: Draft = { ...newDraft, type: trigger.type as Draft['type'] };
  if (trigger.timeOfDayTicks !== undefined) draft.time = timeText(trigger.timeOfDayTicks);
  if (trigger.dayOfWeek) draft.day = trigger.dayOfWeek;
  if (trigger.intervalTicks !== undefined) {
    const { every, unit } = splitInterval(trigger.intervalTicks / ticksPerMs);
    draft.every = String(every);
    draft.unit = unit;
  }
  if (trigger.maxRuntimeTicks) draft.limitHours = String(trigger.maxRuntimeTicks / ticksPerMs / units.h);
  return draft;
}

export class DraftError extends Error {}

function number(text: string, what: string): number {
  const n = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(n)) throw new DraftError(`${what}: “${text}” is no number.`);
  return n;
}

function ticksOfTime(text: string): number {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text.trim());
  if (!match) throw new DraftError(`Time of day: “${text}” is no time; write it as 03:00.`);
  const [h, m, s] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  return (h * units.h + m * units.min + s * units.s) * ticksPerMs;
}

/** As the API takes it. What it means is judged by the server alone; here only what is no number or time is refused. */
export function fromDraft(draft: Draft): Record<string, string | number> {
  const trigger: Record<string, string | number> = { Type: draft.type };
  if (draft.type === 'DailyTrigger' || draft.type === 'WeeklyTrigger') trigger.TimeOfDayTicks = ticksOfTime(draft.time);
  if (draft.type === 'WeeklyTrigger') trigger.DayOfWeek = draft.day;
  if (draft.type === 'IntervalTrigger') {
    trigger.IntervalTicks = Math.round(number(draft.every, 'Interval') * units[draft.unit] * ticksPerMs);
  }
  if (draft.limitHours.trim()) {
    trigger.MaxRuntimeTicks = Math.round(number(draft.limitHours, 'Time limit') * units.h * ticksPerMs);
  }
  return trigger;
}

/** `24 h`, not `day`: it counts from the last end, not from midnight. */
function interval(ms: number): string {
  if (ms === units.d) return '24 h';
  return ms > 0 && ms % units.d === 0 ? `${ms / units.d} days` : duration(ms);
}

/** `Every day at 03:00`, `Every 12 h`, `Sundays at 04:30`, `When a pod starts`. */
export function describe(trigger: Trigger): string {
  const limit = trigger.maxRuntimeTicks ? `, at most ${duration(trigger.maxRuntimeTicks / ticksPerMs)}` : '';
  switch (trigger.type) {
    case 'DailyTrigger':
      return `Every day at ${timeText(trigger.timeOfDayTicks ?? 0)}${limit}`;
    case 'WeeklyTrigger':
      return `${trigger.dayOfWeek}s at ${timeText(trigger.timeOfDayTicks ?? 0)}${limit}`;
    case 'IntervalTrigger':
      return `Every ${interval((trigger.intervalTicks ?? 0) / ticksPerMs)}${limit}`;
    case 'StartupTrigger':
      return `At start${limit}`;
    default:
      return trigger.type;
  }
}

import { duration } from './format';
import type { Lead } from './types';

/** A stretch of time with one leader; `pod` null: nobody led. */
export interface Term {
  pod: string | null;
  from: number;
  until: number;
}

/** A pod that took the lead from another, or from itself after a pause. */
export interface LeadChange {
  pod: string;
  before: string | null; // null: nothing is known of who led before
  silent: boolean; // the one before could not say that it ended
  at: number;
  gapMs: number | null;
}

const shortest = 1_000; // a gap that nobody would see

/** The history in the order of time, with the gaps; the newest term goes on where nobody says that it ended. */
export function terms(leads: readonly Lead[], now: number): Term[] {
  const result: Term[] = [];
  [...leads].reverse().forEach((lead, at, all) => {
    const from = Date.parse(lead.beganAt);
    const last = result.at(-1);
    if (last && from - last.until >= shortest) result.push({ pod: null, from: last.until, until: from });
    const newest = at === all.length - 1;
    const until = lead.endedAt ? Date.parse(lead.endedAt) : newest ? now : Date.parse(lead.seenAt);
    result.push({ pod: lead.pod, from, until: Math.max(from, until) });
    if (newest && lead.endedAt && now - until >= shortest) result.push({ pod: null, from: until, until: now });
  });
  return result;
}

/** Newest first. */
export function leadChanges(leads: readonly Lead[]): LeadChange[] {
  return leads.map((lead, at) => {
    const before = leads[at + 1];
    return {
      pod: lead.pod,
      before: before?.pod ?? null,
      silent: !!before && !before.endedAt,
      at: Date.parse(lead.beganAt),
      gapMs: lead.gapMs,
    };
  });
}

/** A pod that fell silent may have led for some seconds after its last word. */
export function gapText({ gapMs, silent }: LeadChange): string {
  if (gapMs === null) return '';
  return `gap ${silent ? 'up to ' : ''}${duration(gapMs)}`;
}

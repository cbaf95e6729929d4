import { useLive } from './live';
import type { RunState, Skip, Task } from './types';

/** Names of tasks by key, once the server has told them. */
export function useTaskNames(): (key: string) => string {
  const tasks = useLive<Task[]>('ScheduledTasks', 60_000).value;
  return (key) => tasks?.find((task) => task.key === key)?.name ?? key;
}

/** The same slot passed over for the same reason, by several pods. */
export interface SkipGroup extends Skip {
  pods: string[];
}

export function groupSkips(skips: readonly Skip[]): SkipGroup[] {
  const groups = new Map<string, SkipGroup>();
  for (const skip of skips) {
    const key = [skip.task, skip.slot, skip.reason, skip.holder].join('\n');
    const group = groups.get(key);
    if (!group) groups.set(key, { ...skip, pods: [skip.pod] });
    else if (!group.pods.includes(skip.pod)) group.pods = [...group.pods, skip.pod].sort();
  }
  return [...groups.values()];
}

/** `pod-1 and pod-2 do not lead; pod-3 did`. */
export function skipText(skip: SkipGroup): string {
  const many = skip.pods.length > 1;
  const who = many ? `${skip.pods.slice(0, -1).join(', ')} and ${skip.pods.at(-1)}` : skip.pods[0]!;
  return `${who} ${skipReason(skip, many)}`;
}

function skipReason(skip: Skip, many: boolean): string {
  switch (skip.reason) {
    case 'not_leader':
      return (many ? 'do not lead' : 'does not lead') + (skip.holder ? `; ${skip.holder} did` : '');
    case 'claimed':
      return `${many ? 'were' : 'was'} too late: ${skip.holder ?? 'another pod'} had claimed it`;
    case 'disabled':
      return 'found the task disabled';
    case 'paused':
      return 'found all timers paused';
  }
}

export const stateNames: Record<RunState, string> = {
  waiting: 'Waiting',
  running: 'Running',
  cancelling: 'Stopping',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Stopped',
  aborted: 'Lost',
  yielded: 'Handed over',
};
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'plain';
export const stateTones: Record<RunState, Tone> = {
  waiting: 'plain',
  running: 'busy',
  cancelling: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'plain',
  aborted: 'warn',
  yielded: 'plain',
};

export const kindNames = { timer: 'by its timer', startup: 'at start', manual: 'asked for' } as const;
export const collectionNames: Record<string, string> = { movies: 'Films', tvshows: 'Series', music: 'Music' };
export const standingNames: Record<string, string> = {
  leader: 'Leader',
  follower: 'Stands by',
  self_appointed: 'Elects itself',
  unknown: 'No answer yet',
  single: 'Alone',
};

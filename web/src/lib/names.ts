import { useLive } from './live';
import type { RunState, Skip, Task } from './types';

/** Names of tasks by key, once the server has told them. */
export function useTaskNames(): (key: string) => string {
  const tasks = useLive<Task[]>('ScheduledTasks', 60_000).value;
  return (key) => tasks?.find((task) => task.key === key)?.name ?? key;
}

export function skipReason(skip: Skip): string {
  switch (skip.reason) {
    case 'not_leader':
      return skip.holder ? `does not lead; ${skip.holder} did` : 'does not lead';
    case 'claimed':
      return skip.holder ? `was too late: ${skip.holder} had claimed it` : 'was too late: another pod had claimed it';
    case 'disabled':
      return 'found the task disabled';
    case 'paused':
      return 'found all timers paused';
  }
}

export const stateNames: Record<RunState, string> = {
  waiting: 'Waiting', running: 'Running', cancelling: 'Stopping', completed: 'Completed', failed: 'Failed',
  cancelled: 'Stopped', aborted: 'Lost', yielded: 'Handed over',
};
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'plain';
export const stateTones: Record<RunState, Tone> = {
  waiting: 'plain', running: 'busy', cancelling: 'warn', completed: 'good', failed: 'bad',
  cancelled: 'plain', aborted: 'warn', yielded: 'plain',
};

export const kindNames = { timer: 'by its timer', startup: 'at start', manual: 'asked for' } as const;
export const collectionNames: Record<string, string> = { movies: 'Films', tvshows: 'Series', music: 'Music' };
export const standingNames: Record<string, string> = {
  leader: 'Leader', follower: 'Stands by', self_appointed: 'Elects itself', unknown: 'No answer yet', single: 'Alone',
};

import { clock } from './format';
import type { Leader } from './types';

/** What the banner says about who leads, as the pod that answered sees it. */
export interface LeaderStory {
  title: string;
  detail: string;
  tone: 'good' | 'warn' | 'plain';
  since: number | null;
}

const providers = { redis: 'Redis', database: 'the database', none: 'nothing' };

export function storeName(leader: Leader): string {
  return leader.provider === 'redis' ? 'Redis' : leader.provider === 'database' ? 'Database row' : 'None';
}

/** `silent`: the holder's heartbeats are missing, as the pods say. */
export function leaderStory(leader: Leader, now: number, silent = false): LeaderStory {
  const since = leader.holder ? Date.parse(leader.holder.since) : null;
  const outage = leader.outage
    ? `${leader.provider === 'redis' ? 'Redis' : 'The database'} does not answer since ${clock(Date.parse(leader.outage.since), now, undefined, true)}: ${leader.outage.detail}`
    : '';
  if (leader.standing === 'single') {
    return {
      title: `${leader.pod} runs alone`,
      detail: 'There is no election here: this pod starts every task itself.',
      tone: 'good',
      since,
    };
  }
  if (leader.standing === 'self_appointed') {
    return {
      title: `${leader.pod} elects itself`,
      detail:
        outage ||
        'No usable answer for so long that waiting would stall the scans. Nothing runs twice: each slot is claimed in the database.',
      tone: 'warn',
      since: leader.outage ? Date.parse(leader.outage.since) : since,
    };
  }
  const notes = [
    silent && leader.holder
      ? `${leader.holder.pod} has fallen silent. If it is gone, another pod takes the lead as soon as its lease has run out.`
      : '',
    outage,
    leader.standsBack ? `${leader.pod} leaves the lead to others: ${leader.standsBack}` : '',
    leader.abstainsUntil
      ? `${leader.pod} has resigned and leaves the lead to others until ${clock(Date.parse(leader.abstainsUntil), now, undefined, true)}.`
      : '',
    leader.waitsUntil
      ? `The lease's store has just started and may have forgotten who leads; nobody else may until ${clock(Date.parse(leader.waitsUntil), now, undefined, true)}.`
      : '',
  ]
    .filter(Boolean)
    .join(' ');
  if (leader.holder && leader.standing !== 'unknown') {
    const own = leader.holder.pod === leader.pod;
    const plain = own
      ? 'It starts the periodic work for all pods.'
      : `It starts the periodic work; ${leader.pod}, which answers here, stands by.`;
    return { title: `${leader.holder.pod} leads`, detail: notes || plain, tone: notes ? 'warn' : 'good', since };
  }
  return {
    title: 'Nobody leads yet',
    detail: notes || `${leader.pod} has no usable answer from ${providers[leader.provider]} yet.`,
    tone: 'warn',
    since: null,
  };
}

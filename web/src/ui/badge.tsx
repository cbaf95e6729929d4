import { stateNames, stateTones, type Tone } from '../lib/names';
import type { RunState } from '../lib/types';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function StateBadge({ state }: { state: RunState }) {
  return <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>;
}

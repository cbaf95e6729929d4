import { days, type Draft, type Unit } from '../../lib/triggers';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';

const types: [string, string][] = [
  ['DailyTrigger', 'Every day'],
  ['WeeklyTrigger', 'Every week'],
  ['IntervalTrigger', 'At an interval'],
  ['StartupTrigger', 'When the server starts'],
];
const unitNames: [string, string][] = [
  ['s', 'seconds'],
  ['min', 'minutes'],
  ['h', 'hours'],
  ['d', 'days'],
];

export function TriggerRow({
  number,
  draft,
  onChange,
  onRemove,
}: {
  number: number;
  draft: Draft;
  onChange: (draft: Draft) => void;
  onRemove: () => void;
}) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  const of = `of trigger ${number}`;
  return (
    <li class="trigger">
      <Select
        label={`Kind ${of}`}
        value={draft.type}
        options={types}
        onChange={(type) => set({ type: type as Draft['type'] })}
      />
      {draft.type === 'WeeklyTrigger' && (
        <Select
          label={`Day ${of}`}
          value={draft.day}
          options={days.map((day) => [day, day])}
          onChange={(day) => set({ day })}
        />
      )}
      {(draft.type === 'DailyTrigger' || draft.type === 'WeeklyTrigger') && (
        <span class="inline">
          at{' '}
          <input
            class="short"
            aria-label={`Time of day ${of}`}
            value={draft.time}
            placeholder="03:00"
            onInput={(event) => set({ time: event.currentTarget.value })}
          />
        </span>
      )}
      {draft.type === 'IntervalTrigger' && (
        <span class="inline">
          every{' '}
          <input
            class="short"
            inputMode="decimal"
            aria-label={`Interval ${of}`}
            value={draft.every}
            onInput={(event) => set({ every: event.currentTarget.value })}
          />
          <Select
            label={`Unit ${of}`}
            value={draft.unit}
            options={unitNames}
            onChange={(unit) => set({ unit: unit as Unit })}
          />
        </span>
      )}
      <span class="trigger-end">
        <span class="inline limit">
          for at most{' '}
          <input
            class="short"
            inputMode="decimal"
            aria-label={`Time limit in hours ${of}`}
            placeholder="∞"
            value={draft.limitHours}
            onInput={(event) => set({ limitHours: event.currentTarget.value })}
          />{' '}
          h
        </span>
        <Button icon="trash" label={`Remove trigger ${number}`} look="quiet" onClick={onRemove} />
      </span>
    </li>
  );
}

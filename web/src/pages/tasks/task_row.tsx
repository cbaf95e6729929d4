import { useEffect } from 'preact/hooks';
import { act, runTask, stopTask } from '../../lib/actions';
import { live, useLive } from '../../lib/live';
import { href } from '../../lib/router';
import { describe } from '../../lib/triggers';
import type { Page, Run, Task } from '../../lib/types';
import { Button } from '../../ui/button';
import { Progress } from '../../ui/progress';
import { Switch } from '../../ui/switch';
import { Clock, Countdown } from '../../ui/times';
import { LastResult } from './last_result';

export function TaskRow({
  task,
  enabled,
  next,
  onEdit,
}: {
  task: Task;
  enabled: boolean;
  next?: string;
  onEdit: () => void;
}) {
  const path = `cluster/runs?task=${task.key}&limit=3`;
  const last = useLive<Page<Run>>(path, 30_000).value?.items.find((run) => run.endedAt);
  const ended = task.lastExecutionResult?.endTimeUtc;
  useEffect(() => live.refresh(path), [ended]);
  const idle = task.state === 'Idle';
  const percent = task.currentProgressPercentage ?? 0;
  const enable = (on: boolean) =>
    act('POST', `cluster/tasks/${task.key}/enabled`, `${task.name} is ${on ? 'on' : 'off'}.`, { enabled: on });
  return (
    <li class={`task ${enabled ? '' : 'off'}`}>
      <div class="task-name">
        <h3>
          <a href={href('history', '', { task: task.key })}>{task.name}</a>
        </h3>
        <p class="small muted">{task.description}</p>
      </div>
      <div class="task-last">
        {idle ? (
          <LastResult task={task} run={last} />
        ) : (
          <>
            <div class="run-bar">
              <Progress value={percent} label={task.name} />
              <span class="num">{Math.floor(percent)} %</span>
            </div>
            <span class="small muted">{task.state === 'Cancelling' ? 'Stopping' : 'Running'}</span>
          </>
        )}
      </div>
      <div class="task-next">
        {!enabled ? (
          <span class="muted">Off: timers start nothing</span>
        ) : next ? (
          <>
            <span class="num">
              <Countdown at={next} />
            </span>{' '}
            <span class="small muted num">
              <Clock at={next} />
            </span>
          </>
        ) : (
          <span class="muted">Not scheduled</span>
        )}
        <p class="small muted">{task.triggers.length ? task.triggers.map(describe).join(' · ') : 'No trigger'}</p>
      </div>
      <div class="task-actions">
        {idle ? (
          <Button icon="play" label={`Run ${task.name}`} onClick={() => runTask(task.key, task.name)} />
        ) : (
          <Button
            icon="stop"
            label={`Stop ${task.name}`}
            disabled={task.state === 'Cancelling'}
            onClick={() => stopTask(task.key, task.name)}
          />
        )}
        <Button icon="edit" label={`Edit the triggers of ${task.name}`} look="quiet" onClick={onEdit} />
        <Switch label={`Timers of ${task.name}`} on={enabled} onChange={enable} />
      </div>
    </li>
  );
}

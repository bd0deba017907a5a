/** Whether a task may be started by something else than the user naming it. No vscode. */
import { isObject, type JsonObject } from '../platform/json.ts';

/** A task of ours: its label in `tasks.json`, and the files that it runs. */
export interface NamedTask {
  readonly name: string;
  readonly files: readonly unknown[];
}

/**
 * True where the task runs when the folder is opened, or another task or a launch configuration brings it along. `tasks`
 * and `launches`: the entries of `tasks.json` and `launch.json`, of whatever shape.
 */
export function mayStartByItself(task: NamedTask, tasks: readonly unknown[], launches: readonly unknown[]): boolean {
  const labels = new Set([task.name, `smartObjects: ${task.name}`]);
  const isIt = (entry: JsonObject): boolean =>
    entry['type'] === 'smartObjects' &&
    (labels.has(String(entry['label'])) || JSON.stringify(entry['files']) === JSON.stringify(task.files));
  const names = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.some(names)
      : isObject(value)
        ? isIt(value) || names(value['task'])
        : labels.has(String(value));
  return (
    tasks.filter(isObject).some((entry) => (isIt(entry) && runsOnOpen(entry)) || names(entry['dependsOn'] ?? [])) ||
    launches.filter(isObject).some((entry) => names([entry['preLaunchTask'] ?? '', entry['postDebugTask'] ?? '']))
  );
}

function runsOnOpen({ runOptions }: JsonObject): boolean {
  return isObject(runOptions) && runOptions['runOn'] === 'folderOpen';
}

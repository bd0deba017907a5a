import { isObject, type JsonObject } from '../../platform/json/json.ts';

/** A task of type `smartObjects`: its label in `tasks.json`, and its files. */
interface NamedTask {
  readonly name: string;
  readonly files: readonly unknown[];
}

/**
 * True if the task can start without the user naming it: on folder open, or from another task or launch configuration.
 * `tasks` and `launches`: entries of `tasks.json` and `launch.json`, of any shape.
 */
export function canStartAutomatically(
  task: NamedTask,
  tasks: readonly unknown[],
  launches: readonly unknown[],
): boolean {
  const labels = new Set([task.name, `smartObjects: ${task.name}`]);
  const isSameTask = (entry: JsonObject): boolean =>
    entry['type'] === 'smartObjects' &&
    (labels.has(String(entry['label'])) || JSON.stringify(entry['files']) === JSON.stringify(task.files));
  const refersToTask = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.some(refersToTask)
      : isObject(value)
        ? isSameTask(value) || refersToTask(value['task'])
        : labels.has(String(value));
  return (
    tasks
      .filter(isObject)
      .some((entry) => (isSameTask(entry) && runsOnOpen(entry)) || refersToTask(entry['dependsOn'] ?? [])) ||
    launches
      .filter(isObject)
      .some((entry) => refersToTask([entry['preLaunchTask'] ?? '', entry['postDebugTask'] ?? '']))
  );
}

function runsOnOpen({ runOptions }: JsonObject): boolean {
  return isObject(runOptions) && runOptions['runOn'] === 'folderOpen';
}

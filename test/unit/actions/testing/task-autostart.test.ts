/** Tasks that can start without the user: with the folder, by another task, by a debug session. */
import assert from 'node:assert/strict';
import { canStartAutomatically } from '../../../../src/actions/testing/task-autostart.ts';

suite('tasks that start by themselves', () => {
  const task = { name: 'mint', files: ['mint.action.json'] };
  const own = { type: 'smartObjects', label: 'mint', files: ['mint.action.json'] };
  const onOpen = { runOptions: { runOn: 'folderOpen' } };
  const cases: readonly {
    readonly what: string;
    readonly tasks?: readonly unknown[];
    readonly launches?: readonly unknown[];
    readonly is: boolean;
  }[] = [
    { what: 'named by the user alone', tasks: [own, { label: 'build', type: 'shell' }], is: false },
    { what: 'started with the folder', tasks: [{ ...own, ...onOpen }], is: true },
    { what: 'another one is started with the folder', tasks: [own, { label: 'watch', ...onOpen }], is: false },
    { what: 'without a label, by its files', tasks: [{ ...own, label: undefined, ...onOpen }], is: true },
    { what: 'brought along by another task', tasks: [own, { label: 'all', dependsOn: ['a', 'mint'] }], is: true },
    { what: 'brought along by its full name', tasks: [{ label: 'all', dependsOn: 'smartObjects: mint' }], is: true },
    { what: 'brought along by its definition', tasks: [{ label: 'all', dependsOn: own }], is: true },
    { what: 'before a debug session', launches: [{ preLaunchTask: 'mint' }], is: true },
    { what: 'after a debug session', launches: [{ postDebugTask: { task: 'mint' } }], is: true },
    { what: 'entries of any shape', tasks: [null, 1, 'x', { dependsOn: 3 }], launches: [[], {}], is: false },
  ];
  for (const { what, tasks = [], launches = [], is } of cases)
    test(what, () => {
      assert.equal(canStartAutomatically(task, tasks, launches), is);
    });
});

/** One window for the suites of faces that try to do harm: each writes its own file, and closes its editors at the end. */
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../support/workbench.ts';
import { openWindow, type TestWindow } from '../support/window.ts';

let shared: TestWindow | undefined;

/** Opens the window, or continues in it, with a file of this name and text in its workspace. It accepts any certificate. */
export async function openSharedWindow(name: string, text: string): Promise<TestWindow & { readonly file: string }> {
  shared ??= await openWindow({ trusting: true });
  const file = path.join(shared.workspace, name);
  fs.writeFileSync(file, text);
  return { ...shared, file };
}

/** Closes the editors of a suite; `page`: its window, if it is not the first. */
export async function leaveSharedWindow(window: TestWindow, page = window.page): Promise<void> {
  shared = { ...window, page };
  await runCommand(page, 'View: Close All Editors');
}

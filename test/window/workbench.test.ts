/** The workbench with the installed extension, before anything is connected. */
import { openWindow, screenshot } from '../runtime/window.ts';

suite('workbench', () => {
  test('our view has its place in the activity bar', async function () {
    this.timeout(90_000);
    const window = await openWindow();
    await window.page.locator('.activitybar .action-label[aria-label^="Smart Objects"]').click();
    await window.page.locator('.sidebar .composite.title', { hasText: 'Smart Objects' }).waitFor();
    await screenshot(window.page, 'workbench');
    await window.close();
  });
});

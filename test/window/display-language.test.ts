/**
 * The views in other display languages: a pseudo-language, which marks each translated text with brackets, and with
 * DISPLAY_LANGUAGES=de,ru these, for their pictures.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { BADGE_HTML } from './support/faces.ts';
import { expand, openFile, retryUntilVisible, treeRow } from './support/gestures.ts';
import { PSEUDO, Translations, findUntranslated, splitText, setDisplayLanguage } from './support/languages.ts';
import { openWindow, screenshot, type TestWindow } from './support/window.ts';
import { pickerInput, pickerRow, runCommand } from './support/workbench.ts';

const WRONG_ACTION = '{ "action": { "mint": { "template_id": 5, "nmu": 1 } } }';
const CONNECTION = 'Rehearsal';
/** Texts that are no messages, beside those of the sandbox. */
const TERMS = [
  // Of the contract.
  'API x-api-key GET POST execute ebus action logs mint update custom id name owner face obj tpl stats actions execution fees objects creation invite',
  'objectId organizationId myrole roleId templateId batchId',
  // Of roles.
  'Administrator Field agent Viewer Everything, including members and API keys Reads everything',
  // Names, files and formats.
  `${CONNECTION} rehearsal note staging Smart Objects VS Code csv json html svg http https account shield key`,
  "cURL curl globoff request header accept application data-raw json' execute' SMART_OBJECTS_API_KEY",
  // Reasons of the sandbox's failures.
  'insufficient where caller stands did answer within',
  // Of VS Code's preview of Markdown.
  'Copy code block',
  // Dates: there is no locale of the pseudo-language.
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Sun Mon Tue Wed Thu Fri Sat PM AM UTC',
  'ago now yesterday second seconds minute minutes hour hours day days week weeks month months',
].join(' ');
/** Lists whose contents are shown. */
const LISTS = [
  '/organizations',
  '/public/templates',
  '/templates',
  '/faces',
  '/objects',
  '/ebus/action-logs',
  '/assets',
  '/api-keys',
];

async function readData({ baseUrl, apiKey }: Sandbox): Promise<string> {
  const answers = LISTS.map(async (list) => {
    const response = await fetch(`${baseUrl}${list}?limit=100`, { headers: { 'x-api-key': apiKey } });
    return response.text();
  });
  return (await Promise.all(answers)).join('\n');
}

for (const language of [PSEUDO, ...(process.env['DISPLAY_LANGUAGES']?.split(',') ?? [])])
  suite(`display language ${language}`, () => {
    const translations = new Translations(language);
    const t = (message: string): string => translations.translate(message);
    let window: TestWindow;
    let sandbox: Sandbox;
    let page: Page;
    let data: ReadonlySet<string>;

    suiteSetup(async () => {
      sandbox = await startSandbox({ settleDelay: 50, batchDelay: 50, indexDelay: 0 });
      data = new Set(splitText(`${TERMS} ${await readData(sandbox)}`));
      window = await openWindow({
        settings: {
          'smartObjects.connections': [{ name: CONNECTION, baseUrl: sandbox.baseUrl, environment: 'staging' }],
          'smartObjects.confirmExecution': 'always',
          'editor.minimap.enabled': false,
        },
        prepare: (editor) => setDisplayLanguage(editor, language),
      });
      page = window.page;
      await page.setViewportSize({ width: 1440, height: 900 });
    });
    suiteTeardown(async () => {
      await window.close();
      await sandbox.close();
    });

    const run = (command: string): Promise<void> => runCommand(page, translations.getTitle(command));

    /** The webview that was opened last. */
    const view = (): FrameLocator =>
      page.locator('iframe.webview.ready').last().contentFrame().frameLocator('#active-frame');
    const closeEditors = (): Promise<void> => runCommand(page, 'View: Close All Editors');
    const editor = (): Locator => page.locator('.editor-group-container.active .view-lines');

    /** Opens a file and waits until the extension knows that it is open. */
    async function openActionFile(name: string): Promise<void> {
      await openFile(page, name);
      await page.locator('.codelens-decoration a').nth(2).waitFor();
    }

    /** Takes a picture, and in the pseudo-language checks that all texts are translated. */
    async function look(name: string): Promise<void> {
      await screenshot(page, `language-${language}-${name}`);
      if (language === PSEUDO) assert.deepEqual(await findUntranslated(page, data), []);
    }

    test('signing in', async () => {
      await run('signIn');
      const key = page.locator('.quick-input-list .monaco-list-row', { hasText: 'x-api-key' }).first();
      await key.waitFor();
      await look('sign-in');
      await key.click();
      await page.locator('.quick-input-widget:visible input[type=password]').waitFor();
      await pickerInput(page).fill(sandbox.apiKey);
      await page.keyboard.press('Enter');
      await page.locator('.notification-toast').first().waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    test('explorer and objects', async () => {
      await page.locator('.activitybar .action-label[aria-label*="Smart Objects"]').first().click();
      const everything = treeRow(page, t('All organizations'));
      await expand(everything);
      const objects = treeRow(page, t('Objects'));
      await expand(objects);
      const ticket = treeRow(page, /Harbour Concert Ticket/);
      await ticket.waitFor();
      await look('explorer');
      await retryUntilVisible(() => ticket.click(), editor().getByText('"template_id"').first(), 10_000);
      await look('document');
    });

    test('table', async () => {
      await run('openTable');
      await view().locator('.line.item').nth(2).waitFor();
      await look('table');
    });

    test('faces', async () => {
      await closeEditors();
      await run('previewFace');
      await pickerRow(page, 'Loyalty card').waitFor();
      await look('pick-face');
      await pickerRow(page, 'Loyalty card').click();
      await view().locator('iframe[srcdoc]').first().waitFor();
      await look('face');
      await closeEditors();
      fs.writeFileSync(path.join(window.workspace, 'badge.face.html'), BADGE_HTML);
      await openFile(page, 'badge.face.html');
      await run('openFaceLab');
      await view().locator('iframe[srcdoc]').first().waitFor();
      await look('face-lab');
    });

    test('action files', async () => {
      await closeEditors();
      fs.writeFileSync(path.join(window.workspace, 'wrong.action.json'), WRONG_ACTION);
      await openFile(page, 'wrong.action.json');
      await page.locator('[class*=squiggly]').first().waitFor();
      await look('problems');
      await closeEditors();
      await openActionFile('mint.action.json');
      await run('previewRequest');
      await page.locator('.tab.active', { hasText: '.md' }).waitFor();
      await view().getByText('"template_id"').first().waitFor();
      await look('preview');
      await closeEditors();
      await openActionFile('mint.action.json');
      await run('executeAction');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.waitFor();
      await look('confirmation');
      await dialog.locator('.monaco-button:not(.secondary)').first().click();
      await treeRow(page, /^mint/).waitFor();
      await expand(treeRow(page, /^mint/));
      await look('run');
    });

    test('batch', async () => {
      fs.writeFileSync(
        path.join(window.workspace, 'burn.action.json'),
        '{ "action": { "burn": { "id": "${row:id}" } } }',
      );
      fs.writeFileSync(path.join(window.workspace, 'burn.csv'), 'id\nobj_1\nobj_2\n');
      await closeEditors();
      await openActionFile('burn.action.json');
      await run('runWithData');
      await pickerRow(page, 'burn.csv').click();
      await view().locator('.line.item').nth(1).waitFor();
      await view().locator('button.primary:enabled').first().waitFor();
      // Each key to the grid: VS Code may still move the focus.
      for (const key of ['ArrowDown', 'Enter']) await view().getByRole('grid').press(key);
      await view().locator('.details').first().waitFor();
      await look('batch');
      await closeEditors();
    });

    test('statistics', async () => {
      await run('showStatistics');
      await view().locator('.chart').nth(2).waitFor();
      await look('statistics');
      await closeEditors();
    });

    test('reports', async () => {
      for (const [command, name] of [
        ['checkConnection', 'check-connection'],
        ['showPermissions', 'permissions'],
      ] as const) {
        await run(command);
        await page.locator('.tab.active', { hasText: '.md' }).waitFor();
        await view().locator('.markdown-body h1, body > h1, h1').first().waitFor();
        await look(name);
        await closeEditors();
      }
    });

    test('action logs', async () => {
      await run('showActionLogs');
      const row = view().locator('.line.item').first();
      await row.waitFor();
      await look('logs');
      await row.click();
      await view().locator('.details-head').waitFor();
      await look('log');
      await run('showFailures');
      await view().locator('table.failures tr').nth(1).waitFor();
      await look('failures');
    });
  });

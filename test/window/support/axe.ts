/** Accessibility checks of the extension's webviews with axe-core. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { screenshot } from './window.ts';
import { setTheme, until, type Theme } from './workbench.ts';

/** What VS Code gives a webview for a theme: classes and attributes of the body, and the variables. */
interface ThemeStyles {
  readonly theme: Theme;
  readonly className: string;
  readonly kind: string;
  readonly id: string;
  readonly css: string;
}

const KINDS: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  highContrastDark: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
  dark: 'vscode-dark',
};
const THEME_ORDER = ['light', 'highContrastDark', 'highContrastLight', 'dark'] as const;
const source = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Read from VS Code once: choosing a theme takes seconds.
let captured: Promise<readonly ThemeStyles[]> | undefined;

async function captureThemes(page: Page, frame: Frame): Promise<readonly ThemeStyles[]> {
  const themes: ThemeStyles[] = [];
  for (const theme of THEME_ORDER) {
    await setTheme(page, theme);
    await frame.locator(`body[data-vscode-theme-kind="${KINDS[theme]}"]`).waitFor();
    const styles = await frame.evaluate(() => {
      const { vscodeThemeKind: kind = '', vscodeThemeId: id = '' } = document.body.dataset;
      const { className } = document.body;
      return { className, kind, id, css: document.documentElement.style.cssText };
    });
    themes.push({ theme, ...styles });
  }
  return themes;
}

/** Gives the page the styles of a theme, and waits until it is drawn with them. */
async function applyTheme(frame: Frame, theme: ThemeStyles): Promise<void> {
  await frame.evaluate(async ({ className, kind, id, css }) => {
    const { body, documentElement } = document;
    // Classes of the page itself stay.
    const own = [...body.classList].filter((name) => !name.startsWith('vscode-'));
    const given = className.split(' ').filter((name) => name.startsWith('vscode-'));
    body.className = [...own, ...given].join(' ');
    Object.assign(body.dataset, { vscodeThemeKind: kind, vscodeThemeId: id });
    documentElement.style.cssText = css;
    for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
  }, theme);
}

/** Checks that the page fits a window at 200 % zoom without scrolling sideways, and takes a picture of it. */
async function checkZoomed(page: Page, view: FrameLocator, name: string): Promise<void> {
  const size = page.viewportSize() ?? assert.fail('no viewport');
  await page.setViewportSize({ width: 640, height: 400 });
  await until(() =>
    view.locator('html').evaluate(({ scrollWidth, clientWidth }) => clientWidth <= 640 && scrollWidth <= clientWidth),
  );
  await screenshot(page, `${name}-at-200-percent`);
  await page.setViewportSize(size);
}

/**
 * Checks the page of a webview with axe-core in four themes, and leaves the dark one. Frames inside the page show content of
 * others and are not checked. `picture`: checks also the layout at 200 % zoom, with a picture `test-results/<picture>-at-200-percent.png`.
 * Rejects with the violations: rule, theme, element and what is wrong.
 */
export async function checkAccessibility(page: Page, view: FrameLocator, picture?: string): Promise<void> {
  const root = await view.locator('html').elementHandle();
  const frame = await root.ownerFrame();
  assert.ok(frame, 'the view is not open');
  captured ??= captureThemes(page, frame);
  const themes = await captured;
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source);
  const violations: string[] = [];
  for (const theme of themes) {
    await applyTheme(frame, theme);
    // Only colours depend on the theme.
    const colorsOnly = theme !== themes[0];
    const found = await frame.evaluate(async (colorsOnly) => {
      const { axe: tool } = globalThis as unknown as { readonly axe: typeof axe };
      const options: axe.RunOptions = { iframes: false, resultTypes: ['violations'] };
      const colorRules = ['color-contrast', 'link-in-text-block'];
      const results = await tool.run(
        document,
        colorsOnly ? { ...options, runOnly: { type: 'rule', values: colorRules } } : options,
      );
      return results.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)}\n${failureSummary}`),
      );
    }, colorsOnly);
    violations.push(...found.map((text) => `${theme.theme}: ${text}`));
  }
  assert.deepEqual(violations, []);
  if (picture !== undefined) await checkZoomed(page, view, picture);
}

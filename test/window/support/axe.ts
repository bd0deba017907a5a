/** Accessibility checks of the extension's webviews with axe-core. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { ElementHandle, Frame, FrameLocator, Page } from 'playwright-core';
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
/** The rules about what a theme decides. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** Size of a webview by zoom in percent, in CSS pixels: the whole of a window of 1280 × 1024. */
const ZOOMED_SIZES = [
  [200, 640, 512],
  [400, 320, 256],
] as const;
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

/** Sets the size of a webview in pixels, and waits until its page fits without scrolling sideways. */
async function resize(outer: ElementHandle, frame: Frame, size: readonly [number, number]): Promise<void> {
  await setSize(
    outer,
    size.map((length) => `${String(length)}px`),
  );
  await until(() =>
    frame.evaluate(
      ([width]) => innerWidth === width && document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      size,
    ),
  );
}

async function setSize(outer: ElementHandle, size: readonly string[]): Promise<void> {
  await outer.evaluate((element, [width = '', height = '']) => {
    if (element instanceof HTMLElement) Object.assign(element.style, { width, height });
  }, size);
}

/**
 * In the page: runs all rules for which axe has no opt-in for level AAA, or only `rules`, and measures the contrasts that axe
 * leaves undecided.
 */
async function findProblems(rules: readonly string[] | undefined): Promise<readonly string[]> {
  const { axe: tool } = globalThis as unknown as { readonly axe: typeof axe };
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  type Color = readonly [red: number, green: number, blue: number, alpha: number];
  const resolve = (color: string): Color => {
    if (context === null) throw new Error('no canvas');
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const blend = (top: Color, bottom: Color): Color => {
    const mix = (index: 0 | 1 | 2): number => top[index] * top[3] + bottom[index] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const getLuminance = (color: Color): number => {
    const part = (index: 0 | 1 | 2): number => {
      const value = color[index] / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
  };
  /** The contrast on the backgrounds of the element and what contains it; `undefined` on an image. */
  const measureContrast = (element: Element): number | undefined => {
    const backgrounds: Color[] = [];
    let opacity = 1;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none') return undefined;
      opacity *= Number(style.opacity);
      backgrounds.unshift(resolve(style.backgroundColor));
      if (backgrounds[0]?.[3] === 1) break;
    }
    const background = backgrounds.reduce((bottom, top) => blend(top, bottom), [255, 255, 255, 1]);
    const [red, green, blue, alpha] = resolve(getComputedStyle(element).color);
    const text = blend([red, green, blue, alpha * opacity], background);
    const [light = 0, dark = 0] = [getLuminance(text), getLuminance(background)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const isReadable = (element: Element): boolean => {
    const { fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    return (measureContrast(element) ?? 0) >= (isLarge ? 3 : 4.5);
  };
  const check = (): Promise<axe.AxeResults> =>
    tool.run(document, {
      iframes: false,
      elementRef: true,
      resultTypes: ['violations', 'incomplete'],
      ...(rules !== undefined && { runOnly: [...rules] }),
      // Frames show content of others.
      rules: { 'target-size': { enabled: true }, 'frame-tested': { enabled: false } },
    });
  const hasReplaced = ({ nodes }: axe.Result): boolean => nodes.some(({ element }) => element?.isConnected === false);
  let { violations, incomplete } = await check();
  // The page was drawn again during the check: replaced elements have no style any more, so what stands there now is checked.
  while (incomplete.some(hasReplaced)) ({ violations, incomplete } = await check());
  const format = (id: string, { html, failureSummary = '' }: axe.NodeResult): string =>
    `${id}: ${html.slice(0, 200)}\n${failureSummary}`;
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map((node) => format(id, node))),
    ...incomplete.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => id !== 'color-contrast' || element === undefined || !isReadable(element))
        .map((node) => format(`undecided: ${id}`, node)),
    ),
  ];
}

/**
 * Checks the page of a webview with axe-core at 200 % and 400 % zoom, its colors in four themes, and leaves the dark one at 100 %. Frames
 * inside the page show content of others and are not checked. `picture`: takes pictures, `test-results/<picture>-at-200-percent.png`.
 * Rejects with the violations, and with what is not decided: zoom, theme, rule, element and what is wrong.
 */
export async function checkAccessibility(page: Page, view: FrameLocator, picture?: string): Promise<void> {
  const root = await view.locator('html').elementHandle();
  const frame = await root.ownerFrame();
  const outer = await frame?.parentFrame()?.frameElement();
  assert.ok(frame && outer, 'the view is not open');
  captured ??= captureThemes(page, frame);
  const themes = await captured;
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source);
  const problems: string[] = [];
  try {
    for (const [percent, ...size] of ZOOMED_SIZES) {
      await resize(outer, frame, size);
      for (const theme of themes) {
        // A theme changes colors only, and these are the same at each zoom.
        const isDark = theme.theme === 'dark';
        if (percent !== 200 && !isDark) continue;
        await applyTheme(frame, theme);
        const found = await frame.evaluate(findProblems, isDark ? undefined : COLOR_RULES);
        problems.push(...found.map((text) => `${String(percent)} %, ${theme.theme}: ${text}`));
      }
      if (picture !== undefined) await screenshot(page, `${picture}-at-${String(percent)}-percent`);
    }
  } finally {
    // As VS Code sets it.
    await setSize(outer, ['100%', '100%']);
  }
  assert.deepEqual(problems, []);
}

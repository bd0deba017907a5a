/** The colour theme of the editor, as VS Code shows it to webviews. */
export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

/** Returns the kind of the current theme. */
export function getTheme(): Theme {
  const { classList } = document.body;
  if (classList.contains('vscode-high-contrast-light')) return 'high-contrast-light';
  if (classList.contains('vscode-high-contrast')) return 'high-contrast';
  return classList.contains('vscode-light') ? 'light' : 'dark';
}

/** Calls `changed` when the kind or any colour of the theme changes. */
export function onDidChangeTheme(changed: (theme: Theme) => void): void {
  const observer = new MutationObserver(() => changed(getTheme()));
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
}

/** Returns the value of a theme variable such as `--vscode-focusBorder`. */
export function getThemeValue(name: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Breaks up `$(name)`, which quick picks, lenses and the status bar would show as an icon. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}

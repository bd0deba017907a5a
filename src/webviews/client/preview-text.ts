import { formatCode, h } from './dom.ts';

/** The text of a preview under its headings: lists, paragraphs, and code between fences. Its first heading repeats the title. */
export function renderSections(text: string): readonly HTMLElement[] {
  return text.split(/^```.*\n?/m).flatMap((part, index): readonly HTMLElement[] => {
    if (index % 2 === 1) return [h('pre', {}, part)];
    return part.split('\n').flatMap((line): readonly HTMLElement[] => {
      if (line === '' || line.startsWith('# ')) return [];
      if (line.startsWith('## ')) return [h('h3', {}, line.slice(3))];
      return line.startsWith('- ')
        ? [h('p', { class: 'item' }, ...formatCode(line.slice(2)))]
        : [h('p', {}, ...formatCode(line))];
    });
  });
}

/** The examples in Markdown pages: named files, commands and their output. */
import fs from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

interface CommandExample {
  readonly environment: Readonly<Record<string, string>>;
  /** the arguments of `smart-objects` */
  readonly args: readonly string[];
  /** lines that its output contains, in order; `…` stands for any text */
  readonly output: readonly string[];
}

export interface DocExamples {
  /** text by name: fences whose language is followed by a file name */
  readonly files: ReadonlyMap<string, string>;
  /** lines of `sh` fences that call `smart-objects`, without redirections; a `text` fence after them is their output */
  readonly commands: readonly CommandExample[];
}

/** Reads the examples of a page, a path relative to the root. */
export function readExamples(page: string): DocExamples {
  const files = new Map<string, string>();
  const commands: CommandExample[] = [];
  for (const { language, name, text } of readFences(fs.readFileSync(path.join(ROOT, page), 'utf8'))) {
    if (name !== undefined) files.set(name, text);
    else if (language === 'sh') commands.push(...text.split('\n').flatMap(parseCommand));
    else if (language === 'text') {
      const last = commands.pop();
      if (last !== undefined) commands.push({ ...last, output: text.trim().split('\n') });
    }
  }
  return { files, commands };
}

function readFences(
  markdown: string,
): readonly { readonly language: string; readonly name: string | undefined; readonly text: string }[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)^```$/gm)].map(([, language = '', name, text = '']) => ({
    language,
    name,
    text,
  }));
}

function parseCommand(line: string): readonly CommandExample[] {
  const words = [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
  const redirection = words.indexOf('>');
  if (redirection >= 0) words.splice(redirection);
  const start = words.indexOf('smart-objects');
  if (start < 0) return [];
  const environment = Object.fromEntries(
    words.slice(0, start).map((word) => [word.split('=', 1)[0] ?? '', word.slice(word.indexOf('=') + 1)]),
  );
  return [{ environment, args: words.slice(start + 1), output: [] }];
}

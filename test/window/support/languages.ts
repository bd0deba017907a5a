/** Display languages of the window tests. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import { writeCompressed } from '../../../.config/compressed-files.mjs';
import { packTranslations } from '../../../.config/pack-translations.mjs';
import { pseudoLocalize } from '../../../.config/pseudo-localize.mjs';
import { readEnglish } from '../../../.config/translation-files.mjs';
import { ROOT } from '../../runtime/paths.ts';
import type { WindowPreparation } from './window.ts';

/** Marks each translated text with brackets. */
export const PSEUDO = 'qps-ploc';

type Texts = Readonly<Record<string, string>>;

/** Returns the translations of a language by file. */
function readTranslations(language: string): Readonly<Record<string, Texts>> {
  const english = language === PSEUDO ? readEnglish() : undefined;
  const read = (file: string): Texts =>
    z.parse(z.record(z.string(), z.string()), JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')));
  const titles = `package.nls.${language}.json`;
  const messages = `l10n/bundle.l10n.${language}.json`;
  return {
    [titles]: english === undefined ? read(titles) : pseudoLocalize(english.titles),
    [messages]: english === undefined ? read(messages) : pseudoLocalize(english.messages),
  };
}

/** Messages in a display language. */
export class Translations {
  readonly language: string;
  readonly #texts: Texts;

  constructor(language: string) {
    this.language = language;
    this.#texts = Object.fromEntries(
      Object.values(readTranslations(language)).flatMap((texts) => Object.entries(texts)),
    );
  }

  /** Returns the translation of a message, or of a key of package.nls.json. Throws where there is none. */
  translate(key: string): string {
    const found = this.#texts[key];
    if (found === undefined) throw new Error(`not translated: ${key}`);
    return found;
  }

  /** Returns the title of a command in the palette; `name`: its id without the prefix. */
  getTitle(name: string): string {
    return `Smart Objects: ${this.translate(`command.${name}`)}`;
  }
}

/** The next window is in a display language. VS Code's own texts stay in English, since its language packs are not installed. */
export async function setDisplayLanguage({ context, server }: WindowPreparation, language: string): Promise<void> {
  if (language === PSEUDO) {
    const extensions = path.join(server.dataDir, 'extensions');
    const name = fs.readdirSync(extensions).find((folder) => folder.startsWith('smart-objects.')) ?? '';
    for (const [file, texts] of Object.entries(readTranslations(language))) {
      const folder = path.join(extensions, name);
      if (file.startsWith('l10n/'))
        writeCompressed(
          path.join(folder, `dist/l10n/${language}.br`),
          packTranslations(Object.keys(readEnglish().messages), texts),
        );
      else fs.writeFileSync(path.join(folder, file), JSON.stringify(texts));
    }
  }
  await context.addInitScript((value) => {
    Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value });
  }, language);
}

/** Parts of the workbench that show texts of the extension only. */
const PARTS =
  '.sidebar .pane-body > :not(.explorer-folders-view), .monaco-dialog-box .dialog-message-container, .quick-input-title, .statusbar-item[id*="smartObjects"], .codelens-decoration, .notification-list-item-message, .quick-input-list';
/** An id or hash, whole or shortened. */
const ID = /\b\w+_[0-9a-f]+\b|\b0x[0-9a-f]+(?:…[0-9a-f]+)?/g;
const WORD = /\p{L}[\p{L}'’]{2,}/gu;
/** A translated text of the pseudo-language without others inside. */
const TRANSLATED = /\[[^[\]]*~\]/g;

/** Runs in the page. */
function readTexts(parts: string): readonly string[] {
  const roots = [...document.querySelectorAll<HTMLElement>(parts)].filter((root) => root.checkVisibility());
  return roots.flatMap((root) => {
    const labels = [...root.querySelectorAll('[title], [aria-label], [placeholder]')]
      .filter(
        (element) => element.checkVisibility() && element.closest('.monaco-action-bar, .monaco-keybinding') === null,
      )
      .flatMap((element) => ['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name) ?? ''));
    // The parts of a list's rows are in one text without spaces; their labels say the same.
    return root.querySelector('.monaco-list') === null ? [root.innerText, ...labels] : labels;
  });
}

/**
 * Returns the words in the extension's webviews and parts of the workbench that are not translated into the
 * pseudo-language. `data`: words that are no messages. Rejects where nothing is translated.
 */
export async function findUntranslated(page: Page, data: ReadonlySet<string>): Promise<readonly string[]> {
  const views = page.frames().filter((frame) => frame.parentFrame()?.parentFrame() === page.mainFrame());
  const pages = [
    page.mainFrame().evaluate(readTexts, PARTS),
    ...views.map((frame) => frame.evaluate(readTexts, 'body')),
  ];
  const texts = (await Promise.all(pages)).flat();
  if (!texts.some((text) => text.search(TRANSLATED) !== -1)) throw new Error('nothing is translated');
  const found = texts.flatMap((text) => {
    let rest = text.replace(ID, ' ');
    for (let before = ''; before !== rest; rest = rest.replace(TRANSLATED, ' ')) before = rest;
    const words = splitText(rest).filter((word) => !data.has(word));
    return words.length === 0 ? [] : [`${words.join(' ')}: ${rest.trim().replace(/\s+/g, ' ').slice(0, 100)}`];
  });
  return [...new Set(found)];
}

/** Returns the words of a text. */
export function splitText(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

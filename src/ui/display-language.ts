/** Sets the display language of VS Code when it is imported: before activation. */
import * as vscode from 'vscode';
import { setDisplayLanguage } from '../platform/text/localization.ts';
import { unpackTranslations } from '../platform/text/packed-translations.ts';
import { readTranslations } from './read-translations.ts';

const { language } = vscode.env;
/** The packed translations; `undefined` in English. */
export const displayTranslations = readTranslations(language, new URL('./l10n/', import.meta.url));
setDisplayLanguage({
  language,
  ...(displayTranslations !== undefined && { messages: unpackTranslations(displayTranslations) }),
});

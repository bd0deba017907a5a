/** Sets the display language of VS Code when it is imported: before activation. */
import * as vscode from 'vscode';
import { setDisplayLanguage } from '../platform/text/localization.ts';
import { readRegionMessages } from './read-messages.ts';

const { language } = vscode.env;
/** The translations by English message; `undefined` in English. */
export const displayMessages = vscode.l10n.bundle ?? readRegionMessages(language, new URL('../l10n/', import.meta.url));
setDisplayLanguage({ language, ...(displayMessages !== undefined && { messages: displayMessages }) });

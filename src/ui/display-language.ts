/** Sets the display language of VS Code when it is imported: before activation. */
import * as vscode from 'vscode';
import { setDisplayLanguage } from '../platform/text/localization.ts';

const { bundle } = vscode.l10n;
setDisplayLanguage({ language: vscode.env.language, ...(bundle !== undefined && { messages: bundle }) });

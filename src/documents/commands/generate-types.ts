import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readSamples } from '../../model/resources/read-samples.ts';
import { isObject } from '../../platform/json/json.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { formatTitle } from '../../cache/title-lookup.ts';
import { pickResource } from '../lookup/pick-resource.ts';
import { readOrOfferSignIn, getTargetResource, type DocumentsContext } from '../context.ts';
import { formatTypes } from './format-types.ts';
import type { ShownDocument } from '../content/document-store.ts';

/** Opens the type of the `custom` data of a template's objects in a new editor. Rejects with PlatformError or Error. */
export async function generateTypes(context: DocumentsContext, argument: unknown): Promise<string | undefined> {
  const resource =
    getTargetResource(context, argument) ??
    (await pickResource(context, l10n.t('Select a Template or Object to Generate TypeScript Types From')));
  const shownDocument = resource === undefined ? undefined : await readOrOfferSignIn(context, resource);
  const template = shownDocument === undefined ? undefined : await readTemplate(context, shownDocument);
  if (template === undefined) return undefined;
  const { session, definition, item } = template;
  const title = formatTitle(context.services, template.resource, definition, item.raw);
  const samples = await context.services.ui.progress(l10n.t('Loading objects of {0}', title), (signal, report) =>
    readSamples(session.client, template.resource.id, signal, (count) =>
      report(pluralize(count, l10n.t('{0} object|{0} objects'))),
    ),
  );
  if (session.ended.aborted) return undefined;
  const defaults = getField(getField(item.raw, 'object'), 'custom');
  const customs = samples.map((sample) => getField(sample, 'custom')).filter(isObject);
  const from = customs.length > 0 ? customs : [defaults].filter(isObject);
  if (from.length === 0) {
    void context.services.ui.info(l10n.t('No objects of {0} with custom data are visible to you.', title));
    return undefined;
  }
  const text = formatTypes(title, template.resource, from, customs.length);
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ language: 'typescript', content: text }),
  );
  return text;
}

async function readTemplate(
  context: DocumentsContext,
  shownDocument: ShownDocument,
): Promise<ShownDocument | undefined> {
  if (shownDocument.resource.kind === 'templates') return shownDocument;
  const id = shownDocument.resource.kind === 'objects' ? getField(shownDocument.item.raw, 'template_id') : undefined;
  if (typeof id !== 'string') throw new Error(l10n.t('Select a template, or an object of a template'));
  return readOrOfferSignIn(context, { connection: shownDocument.resource.connection, kind: 'templates', id });
}

function getField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

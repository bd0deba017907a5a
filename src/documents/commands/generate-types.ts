import * as vscode from 'vscode';
import type { ResourceArgument } from '../../model/resource-argument.ts';
import type { Session } from '../../model/session.ts';
import { isObject } from '../../platform/json/json.ts';
import { isEndlessListError } from '../../platform/paginate.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { pickResource } from '../lookup/pick-resource.ts';
import { readOrOfferSignIn, getTargetResource, type DocumentsContext } from '../context.ts';
import { inferTypes } from './infer-types.ts';
import type { ShownDocument } from '../content/document-store.ts';

/** Objects that are sampled to find optional fields. */
const MAX_SAMPLES = 200;

/** Opens the type of the `custom` data of a template's objects in a new editor. Rejects with PlatformError or Error. */
export async function generateTypes(context: DocumentsContext, argument: unknown): Promise<string | undefined> {
  const resource =
    getTargetResource(argument) ??
    (await pickResource(context, 'Select a Template or Object to Generate TypeScript Types From'));
  const shownDocument = resource === undefined ? undefined : await readOrOfferSignIn(context, resource);
  const template = shownDocument === undefined ? undefined : await readTemplate(context, shownDocument);
  if (template === undefined) return undefined;
  const { session, row, item } = template;
  const title = toPlainText(row.summary(item.raw).title, 80);
  const samples = await context.services.ui.progress(`Loading objects of ${title}`, (signal, report) =>
    readSamples(session, template.resource, signal, report),
  );
  if (samples === undefined || session.ended.aborted) return undefined;
  const defaults = getField(getField(item.raw, 'object'), 'custom');
  const customs = samples.map((sample) => getField(sample, 'custom')).filter(isObject);
  const from = customs.length > 0 ? customs : [defaults].filter(isObject);
  if (from.length === 0) {
    void context.services.ui.info(`No objects of ${title} with custom data are visible to you.`);
    return undefined;
  }
  const text = formatHeader(title, template.resource, customs.length) + inferTypes(`${title} custom`, from);
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
  if (typeof id !== 'string') throw new Error('select a template, or an object of a template');
  return readOrOfferSignIn(context, { connection: shownDocument.resource.connection, kind: 'templates', id });
}

async function readSamples(
  session: Session,
  { id }: ResourceArgument,
  signal: AbortSignal,
  report: (step: string) => void,
): Promise<readonly unknown[] | undefined> {
  const samples: unknown[] = [];
  try {
    for await (const page of session.client.listPages('objects', { template_id: id, limit: 100 }, { signal })) {
      samples.push(...page.items.map(({ raw }) => raw));
      report(samples.length === 1 ? '1 object' : `${String(samples.length)} objects`);
      if (samples.length >= MAX_SAMPLES) break;
    }
  } catch (error) {
    // The items of a list that never ends are enough.
    if (!isEndlessListError(error) || samples.length === 0) throw error;
  }
  return signal.aborted ? undefined : samples.slice(0, MAX_SAMPLES);
}

function formatHeader(title: string, { id, connection }: ResourceArgument, count: number): string {
  const source = count === 0 ? 'the default of the template' : count === 1 ? '1 object' : `${String(count)} objects`;
  // Server text must not end the comment.
  const safe = (text: string): string => toPlainText(text, 120).replaceAll('*/', '* /');
  return `/**\n * The custom data of ${safe(title)} (template ${safe(id)} on ${safe(connection)}),\n * inferred from ${source}. Properties that all of them have are required, others are optional.\n */\n\n`;
}

function getField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Generate TypeScript Types…: reads some objects of a template and writes the type of their `custom` data into a new editor. */
import * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import type { Session } from '../connections/types.ts';
import { isObject } from '../platform/json.ts';
import { isEndless } from '../platform/paginate.ts';
import { plainText } from '../platform/plain-text.ts';
import { chooseResource } from './choose.ts';
import { readOrOfferSignIn, targetOf, type Desk } from './desk.ts';
import { typesOf } from './infer.ts';
import type { Shown } from './store.ts';

/** Objects that are looked at: enough to see which fields are optional. */
const SAMPLES = 200;

export async function generateTypes(desk: Desk, argument: unknown): Promise<string | undefined> {
  const resource =
    targetOf(argument) ?? (await chooseResource(desk, 'Generate TypeScript Types: a template or an object'));
  const shown = resource === undefined ? undefined : await readOrOfferSignIn(desk, resource);
  const template = shown === undefined ? undefined : await templateOf(desk, shown);
  if (template === undefined) return undefined;
  const { session, row, item } = template;
  const title = plainText(row.summary(item.raw).title, 80);
  const samples = await desk.services.ui.progress(`Reading objects of ${title}`, (signal, say) =>
    readSamples(session, template.resource, signal, say),
  );
  if (samples === undefined || session.ended.aborted) return undefined;
  const own = fieldOf(fieldOf(item.raw, 'object'), 'custom');
  const customs = samples.map((sample) => fieldOf(sample, 'custom')).filter(isObject);
  const from = customs.length > 0 ? customs : [own].filter(isObject);
  if (from.length === 0) {
    void desk.services.ui.info(`None of the objects of ${title} that are visible to you has custom data.`);
    return undefined;
  }
  const text = header(title, template.resource, customs.length) + typesOf(`${title} custom`, from);
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ language: 'typescript', content: text }),
  );
  return text;
}

async function templateOf(desk: Desk, shown: Shown): Promise<Shown | undefined> {
  if (shown.resource.kind === 'templates') return shown;
  const id = shown.resource.kind === 'objects' ? fieldOf(shown.item.raw, 'template_id') : undefined;
  if (typeof id !== 'string') throw new Error('Types are generated from a template, or from an object of one');
  return readOrOfferSignIn(desk, { connection: shown.resource.connection, kind: 'templates', id });
}

async function readSamples(
  session: Session,
  { id }: ResourceArgument,
  signal: AbortSignal,
  say: (step: string) => void,
): Promise<readonly unknown[] | undefined> {
  const samples: unknown[] = [];
  try {
    for await (const page of session.client.pages('objects', { template_id: id, limit: 100 }, { signal })) {
      samples.push(...page.items.map(({ raw }) => raw));
      say(`${String(samples.length)} objects`);
      if (samples.length >= SAMPLES) break;
    }
  } catch (error) {
    // What a list that does not end has brought serves as well.
    if (!isEndless(error) || samples.length === 0) throw error;
  }
  return signal.aborted ? undefined : samples.slice(0, SAMPLES);
}

function header(title: string, { id, connection }: ResourceArgument, count: number): string {
  const source =
    count === 0
      ? 'the template’s own default: no object is visible'
      : `${String(count)} object${count === 1 ? '' : 's'}`;
  // A comment must not end early.
  const safe = (text: string): string => plainText(text, 120).replaceAll('*/', '* /');
  return `/**\n * The custom data of ${safe(title)} (template ${safe(id)} on ${safe(connection)}),\n * inferred from ${source}. What was in each of them is required here, the rest is optional.\n */\n\n`;
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** The parts of a page's state that come from the document of its resource. */
import * as l10n from '@vscode/l10n';
import type { Freshness } from '../documents/content/freshness.ts';
import type { ShownDocument } from '../documents/content/document-store.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { formatError } from '../model/text/error-message.ts';
import { getRemedy, type Remedy } from '../model/text/error-remedy.ts';
import { formatLabelled } from '../model/text/labels.ts';
import { formatStatus } from '../model/text/status.ts';
import { isObject } from '../platform/json/json.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { PageField, PageState } from '../webviews/protocol/page.ts';
import { createGroups, createHeaderFields, type FieldContext } from './fields.ts';

/** What could not be read, and whether signing in may help. */
export interface PageProblem {
  readonly text: string;
  readonly remedy: Remedy | undefined;
}

/** Describes why a resource could not be read; `what`: its kind. */
export function createProblem(what: string, error: unknown): PageProblem {
  return { text: formatError(l10n.t('Load {0}', what), error), remedy: getRemedy(error) };
}

/** Creates status, description and fields; without a document, the id alone. `label`: the user's label of the id. */
export function createDocumentState(
  { kind, id }: ResourceArgument,
  shown: ShownDocument | undefined,
  context: FieldContext,
  label: string | undefined,
): Pick<PageState, 'status' | 'description' | 'facts' | 'groups'> {
  const idField: PageField = {
    label: l10n.t('ID'),
    value: formatLabelled(toPlainText(id, 300), label),
    copy: id,
    code: true,
    resource: { kind, id },
  };
  if (shown === undefined) return { facts: [idField], groups: [] };
  const { definition } = shown;
  const { raw } = shown.item;
  const { state } = definition.summary(raw);
  // The document of an organization is the role of the user.
  const isOwn = definition.kind === kind;
  const metadata = isObject(raw) && isObject(raw['metadata']) ? raw['metadata'] : raw;
  const description = isOwn && isObject(metadata) ? metadata['description'] : undefined;
  return {
    ...(state !== undefined && { status: { label: toPlainText(formatStatus(state.label), 40), tone: state.tone } }),
    ...(typeof description === 'string' &&
      description !== '' && { description: toPlainText(context.redact(description), 1000) }),
    facts: [idField, ...(isOwn ? createHeaderFields(definition, raw, context) : [])],
    groups: [...createGroups(definition, raw, context)],
  };
}

/** Returns what to say above the content: why nothing is shown, why it is old, or that it can't be read. */
export function createNotice(
  problem: PageProblem | undefined,
  shown: ShownDocument | undefined,
  freshness: Freshness | undefined,
  isSignedOut: boolean,
  isReadable: boolean,
): PageState['notice'] {
  const remedy = isSignedOut ? 'signIn' : problem?.remedy;
  if (problem !== undefined && shown === undefined) return { text: problem.text, tone: 'error', remedy };
  if (freshness?.type === 'stale') return { text: toPlainText(freshness.detail, 1000), tone: 'warning', remedy };
  if (isReadable) return undefined;
  const text = l10n.t('The API can’t read it by its ID. What others refer to it is shown here.');
  return { text, tone: 'info' };
}

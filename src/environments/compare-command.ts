import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import { openReport } from '../connections/reports/report-documents.ts';
import { readConnectionName } from '../connections/session/pick-session.ts';
import { requireSession } from '../model/session/require-session.ts';
import type { Session } from '../model/session/session.ts';
import { registry } from '../platform/registry.ts';
import { formatList, formatNumber, pluralize } from '../platform/text/localization.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { compareInventories, type Comparison, type Difference } from './compare.ts';
import { readInventory, type Inventory } from './inventory.ts';
import { formatMarkdown } from './report.ts';

const SCHEME = 'smartobject-environment';
/** The documents of the last comparison, by path. */
const texts = new Map<string, string>();
let provider: vscode.Disposable | undefined;

/**
 * The Compare Environments command: reads two connections, and shows what differs as changes of files. Resolves with the
 * comparison; `undefined` if cancelled. Rejects with PlatformError, or with Error for twice the same connection.
 */
export async function compareEnvironments(services: Services, argument: unknown): Promise<Comparison | undefined> {
  const { sessions, ui, context } = services;
  const name = readConnectionName(argument);
  const from =
    name === undefined
      ? await sessions.pickSession(l10n.t('Select the first environment'))
      : requireSession(sessions, name);
  const to = from && (await sessions.pickSession(l10n.t('Compare {0} with', from.profile.name)));
  if (from === undefined || to === undefined) return undefined;
  if (from.profile.name === to.profile.name) throw new Error(l10n.t('Select two connections'));
  const [one, other] = await ui.progress(
    l10n.t('Comparing {0} with {1}', from.profile.name, to.profile.name),
    (signal, report) => {
      const counts = [0, 0];
      const read = ({ client, profile: { organizations } }: Session, index: number): Promise<Inventory> =>
        readInventory(client, {
          ...{ organizations, signal },
          report: (count) => {
            counts[index] = count;
            report(
              pluralize(
                counts.reduce((sum, part) => sum + part),
                l10n.t('{0} resource|{0} resources'),
              ),
            );
          },
        });
      return Promise.all([read(from, 0), read(to, 1)]);
    },
  );
  if (from.ended.aborted || to.ended.aborted) return undefined;
  const comparison = compareInventories(one, other);
  if (provider === undefined) {
    provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ path }) => texts.get(path) ?? `${l10n.t('Compare the environments again.')}\n`,
    });
    context.subscriptions.push(provider);
  }
  void show(services, comparison, from.profile.name, to.profile.name);
  return comparison;
}

async function show(services: Services, comparison: Comparison, from: string, to: string): Promise<void> {
  const { ui } = services;
  const { differences, equal, unread } = comparison;
  texts.clear();
  if (differences.length > 0)
    await vscode.commands.executeCommand(
      'vscode.changes',
      l10n.t('{0} ↔ {1}', from, to),
      differences.map((difference, index) => createChange(difference, index, { from, to })),
    );
  const summary = l10n.t(
    '{0} ↔ {1}: {2} different, {3} equal',
    from,
    to,
    formatNumber(differences.length),
    formatNumber(equal),
  );
  const kinds = formatList([...unread.keys()].map((kind) => registry[kind].label));
  const report = l10n.t('Show Report');
  const answer = await (unread.size === 0
    ? ui.info(`${summary}.`, report)
    : ui.warn(l10n.t('{0}. Not compared, since they could not be read: {1}.', summary, kinds), report));
  if (answer !== report) return;
  const name = l10n.t('{0} ↔ {1}', from, to).replace(/[/\\]/g, '-');
  await openReport(`${encodeURIComponent(from)}/${name}.md`, services.redact(formatMarkdown(comparison, { from, to })));
}

/** The file of a resource with both its texts. A side without the resource has none. */
function createChange(
  { kind, name, from, to }: Difference,
  index: number,
  sides: Readonly<Record<'from' | 'to', string>>,
): readonly (vscode.Uri | undefined)[] {
  const create = (side: 'from' | 'to', value: { readonly value: unknown } | undefined): vscode.Uri | undefined => {
    if (value === undefined) return undefined;
    const file = `${toPlainText(name, 80).replace(/[/\\]/g, '-')}.json`;
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${encodeURIComponent(sides[side])}/${kind}/${String(index)}/${file}`,
    });
    texts.set(uri.path, `${JSON.stringify(value.value, undefined, 2)}\n`);
    return uri;
  };
  const [original, modified] = [create('from', from), create('to', to)];
  return [modified ?? original, original, modified];
}

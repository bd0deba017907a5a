/** Search…: known resources at once, then the answers of the lists as they arrive. */
import { formatPlural } from '../../platform/resource.ts';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { ResourceArgument } from '../../model/resource-argument.ts';
import type { Session } from '../../model/session.ts';
import { ListSearch, getSearchParameter, type SearchResults } from './list-search.ts';
import { formatSummaryDetails } from '../rows/row-presentation.ts';
import { toQuickPickText } from '../format.ts';
import type { Tree } from '../tree/tree.ts';

interface Choice extends vscode.QuickPickItem {
  readonly resource?: ResourceArgument;
  /** an id to look up among all kinds */
  readonly id?: string;
  readonly signIn?: true;
}

const MAX_KNOWN = 20;

/** Resolves to the resource to open, an id to look up, or undefined when cancelled. Never rejects. */
export async function pickSearchResult(tree: Tree, services: Services): Promise<ResourceArgument | string | undefined> {
  const { sessions, ui } = services;
  const session = sessions.active ?? (await sessions.pickSession('Search'));
  if (session === undefined) return undefined;
  const { name } = session.profile;
  const listSearch = new ListSearch({
    rows: tree.rows,
    read: (row, query, signal) =>
      session.client.listPageFor(row, query, { signal: AbortSignal.any([signal, session.ended]) }),
  });
  const searched = Object.values(tree.rows).filter((row) => getSearchParameter(row) !== undefined);
  const chosen = await ui.pickLive<Choice>({
    title: `Search ${session.heading}`,
    placeHolder: `Name or part of it: ${searched.map(formatPlural).join(', ')}; or an ID`,
    onDidType: (text, show) => {
      // Every request would be refused.
      if (session.signedOutReason !== undefined) {
        show({ choices: [{ label: '$(sign-in) Not signed in. Sign In…', signIn: true }], busy: false });
        return;
      }
      listSearch.start(text, (findings) => {
        show({ choices: createChoices(tree, session, findings), busy: findings.pendingCount > 0 });
      });
    },
    onDidClose: () => {
      listSearch.cancel();
    },
  });
  if (chosen?.signIn === true) await vscode.commands.executeCommand('smartObjects.signIn', name);
  if (chosen === undefined || sessions.get(name) !== session) return undefined;
  return chosen.resource ?? chosen.id;
}

function createChoices(tree: Tree, session: Session, findings: SearchResults): readonly Choice[] {
  const { term, found, failed, pendingCount } = findings;
  const connection = session.profile.name;
  const now = Date.now();
  const answers = found.map(({ row, item }): Choice & { readonly group: string } => {
    const { id } = item;
    const { details, ...rest } = row.summary(item.raw);
    // The id has its own line.
    const summary = { ...rest, details: details.filter((detail) => detail !== id) };
    return {
      group: row.label,
      label: `$(${row.icon}) ${toQuickPickText(summary.title)}`,
      description: toQuickPickText(
        [row.singular, formatSummaryDetails(summary, now)].filter((part) => part !== undefined).join(' · '),
      ),
      ...(id !== undefined && { detail: toQuickPickText(id), resource: { connection, kind: row.kind, id } }),
    };
  });
  const listed = new Set(answers.map(({ resource }) => `${resource?.kind ?? ''}/${resource?.id ?? ''}`));
  const known = findKnown(tree, connection, term).filter(
    ({ resource }) => !listed.has(`${resource?.kind ?? ''}/${resource?.id ?? ''}`),
  );
  const groups = Map.groupBy(answers, ({ group }) => group);
  return [
    ...createGroup('Met before', known),
    ...[...groups].flatMap(([label, choices]) => createGroup(label, choices)),
    ...createGroup(
      'No answer',
      failed.map(({ row, reason }) => ({
        label: `$(warning) ${row.label} could not be searched`,
        description: toQuickPickText(reason, 160),
      })),
    ),
    ...(term === ''
      ? []
      : createGroup('', [{ label: `$(go-to-file) Open by ID “${toQuickPickText(term)}”`, id: term }])),
    ...(term !== '' && pendingCount === 0 && answers.length + known.length === 0
      ? [
          {
            label: '$(info) Nothing found',
            description: 'Objects have no search by name in the API: filter their list instead',
          },
        ]
      : []),
  ];
}

function createGroup(label: string, choices: readonly Choice[]): readonly Choice[] {
  return choices.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...choices];
}

function findKnown(tree: Tree, connection: string, term: string): readonly Choice[] {
  if (term.length < 2) return [];
  const needle = term.toLowerCase();
  return tree.knownIds
    .newestFirst()
    .filter(({ connection: at, kind }) => at === connection && (tree.rows[kind]?.read.by ?? 'cache') !== 'cache')
    .filter(({ id, title }) => id.toLowerCase().startsWith(needle) || title.toLowerCase().includes(needle))
    .take(MAX_KNOWN)
    .map((known): Choice => {
      const row = tree.rows[known.kind];
      const id = known.documentId ?? known.id;
      return {
        label: `$(${row?.icon ?? 'circle-outline'}) ${toQuickPickText(known.title)}`,
        description: toQuickPickText([row?.singular, known.state].filter((part) => part !== undefined).join(' · ')),
        detail: toQuickPickText(id),
        resource: { connection, kind: known.kind, id },
      };
    })
    .toArray();
}

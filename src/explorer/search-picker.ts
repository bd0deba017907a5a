/** Search…: what was met before at once, what the lists answer as it arrives, and which of them did not. */
import { pluralOf } from '../platform/resource.ts';
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { ResourceArgument } from '../commands/ids.ts';
import type { Session } from '../connections/types.ts';
import { Search, searchedBy, type Findings } from './search.ts';
import { restOf } from './shown.ts';
import { pickText } from './text.ts';
import type { Tree } from './tree.ts';

interface Choice extends vscode.QuickPickItem {
  readonly resource?: ResourceArgument;
  /** no resource, but an id to look for among all kinds */
  readonly id?: string;
  readonly signIn?: true;
}

const MOST_MET = 20;

/** Resolves to what is to be opened: a resource, an id to look for, or nothing. */
export async function search(tree: Tree, services: Services): Promise<ResourceArgument | string | undefined> {
  const { sessions, ui } = services;
  const session = sessions.active ?? (await sessions.choose('Search'));
  if (session === undefined) return undefined;
  const { name } = session.profile;
  const asking = new Search({
    rows: tree.rows,
    read: (row, query, signal) =>
      session.client.pageOf(row, query, { signal: AbortSignal.any([signal, session.ended]) }),
  });
  const searched = Object.values(tree.rows).filter((row) => searchedBy(row) !== undefined);
  const chosen = await ui.live<Choice>({
    title: `Search ${session.heading}`,
    placeHolder: `Name or part of it: ${searched.map(pluralOf).join(', ')}; or an ID`,
    typed: (text, show) => {
      // Whatever is asked would be refused.
      if (session.signedOutBecause !== undefined) {
        show({ choices: [{ label: '$(sign-in) Not signed in. Sign In…', signIn: true }], busy: false });
        return;
      }
      asking.ask(text, (findings) => {
        show({ choices: choicesOf(tree, session, findings), busy: findings.waiting > 0 });
      });
    },
    closed: () => {
      asking.cancel();
    },
  });
  if (chosen?.signIn === true) await vscode.commands.executeCommand('smartObjects.signIn', name);
  if (chosen === undefined || sessions.get(name) !== session) return undefined;
  return chosen.resource ?? chosen.id;
}

function choicesOf(tree: Tree, session: Session, findings: Findings): readonly Choice[] {
  const { term, found, failed, waiting } = findings;
  const connection = session.profile.name;
  const now = Date.now();
  const answers = found.map(({ row, item }): Choice & { readonly kind_: string } => {
    const { id } = item;
    const { details, ...rest } = row.summary(item.raw);
    // The id stands in a line of its own.
    const summary = { ...rest, details: details.filter((detail) => detail !== id) };
    return {
      kind_: row.label,
      label: `$(${row.icon}) ${pickText(summary.title)}`,
      description: pickText([row.singular, restOf(summary, now)].filter((part) => part !== undefined).join(' · ')),
      ...(id !== undefined && { detail: pickText(id), resource: { connection, kind: row.kind, id } }),
    };
  });
  const listed = new Set(answers.map(({ resource }) => `${resource?.kind ?? ''}/${resource?.id ?? ''}`));
  const met = metBefore(tree, connection, term).filter(
    ({ resource }) => !listed.has(`${resource?.kind ?? ''}/${resource?.id ?? ''}`),
  );
  const groups = Map.groupBy(answers, ({ kind_ }) => kind_);
  return [
    ...under('Met before', met),
    ...[...groups].flatMap(([label, choices]) => under(label, choices)),
    ...under(
      'No answer',
      failed.map(({ row, reason }) => ({
        label: `$(warning) ${row.label} could not be searched`,
        description: pickText(reason, 160),
      })),
    ),
    ...(term === '' ? [] : under('', [{ label: `$(go-to-file) Open by ID “${pickText(term)}”`, id: term }])),
    ...(term !== '' && waiting === 0 && answers.length + met.length === 0
      ? [
          {
            label: '$(info) Nothing found',
            description: 'Objects have no search by name in the API: filter their list instead',
          },
        ]
      : []),
  ];
}

function under(label: string, choices: readonly Choice[]): readonly Choice[] {
  return choices.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...choices];
}

function metBefore(tree: Tree, connection: string, term: string): readonly Choice[] {
  if (term.length < 2) return [];
  const words = term.toLowerCase();
  return tree.everMet
    .latest()
    .filter(
      (known) => known.connection === connection && tree.rows[known.kind] !== undefined && known.kind !== 'wallets',
    )
    .filter(({ id, title }) => id.toLowerCase().startsWith(words) || title.toLowerCase().includes(words))
    .take(MOST_MET)
    .map((known): Choice => {
      const row = tree.rows[known.kind];
      const id = known.address ?? known.id;
      return {
        label: `$(${row?.icon ?? 'circle-outline'}) ${pickText(known.title)}`,
        description: pickText([row?.singular, known.state].filter((part) => part !== undefined).join(' · ')),
        detail: pickText(id),
        resource: { connection, kind: known.kind, id },
      };
    })
    .toArray();
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatError } from '../../model/text/error-message.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import type { Session } from '../../model/session/session.ts';
import { isReadableId, type IdKind } from '../file/action-kinds.ts';
import { getString, parseActionFile } from '../file/action-file.ts';
import type { ActionsContext } from '../context.ts';

/** Receivers of earlier runs that are offered. */
const MAX_RECENT = 10;

/** Without an id: an action instead of a list that could not be read. */
interface Choice extends vscode.QuickPickItem {
  readonly id?: string;
}

/**
 * Prompts for the id of a resource of the session, or for the address of an owner. Resolves with an empty text for no id;
 * `undefined` if cancelled, or if the connection was removed. Never rejects: the list has the reason why it could not be read.
 * `none`: label of a choice of no id, which is not offered without it.
 */
export async function pickId(
  context: ActionsContext,
  given: Session,
  kind: IdKind,
  none?: string,
): Promise<string | undefined> {
  const { name } = given.profile;
  for (;;) {
    const session = context.services.sessions.get(name);
    if (session === undefined) return undefined;
    const chosen = await context.services.ui.pickOrType<Choice>(getChoices(context, session, kind, none), {
      title: formatTitle(kind, session.heading),
      placeHolder:
        kind === 'wallets' ? l10n.t('Select one, or enter an address') : l10n.t('Select one, or enter an ID'),
      formatTypedLabel: (text) => l10n.t('Use ID {0}', text),
    });
    if (chosen === undefined) return undefined;
    const id = typeof chosen === 'string' ? chosen : chosen.id;
    if (id !== undefined) return id;
    // Shows the list again, after sign-in or for another try.
    if (session.signedOutReason !== undefined) await vscode.commands.executeCommand('smartObjects.signIn', name);
  }
}

function formatTitle(kind: IdKind, heading: string): string {
  switch (kind) {
    case 'objects':
      return l10n.t('Select an object of {0}', heading);
    case 'templates':
      return l10n.t('Select a template of {0}', heading);
    case 'faces':
      return l10n.t('Select a face of {0}', heading);
    case 'wallets':
      return l10n.t('Select an owner of {0}', heading);
  }
}

/** The known resources, or why there are none. Never rejects. */
async function getChoices(
  context: ActionsContext,
  session: Session,
  kind: IdKind,
  none: string | undefined,
): Promise<readonly Choice[]> {
  const byHand: Choice[] = none === undefined ? [] : [{ label: none, alwaysShow: true, id: '' }];
  const { signedOutReason } = session;
  if (signedOutReason !== undefined)
    return [...byHand, { label: l10n.t('Sign In…'), detail: signedOutReason, alwaysShow: true }];
  try {
    const live = context.liveData.get(session);
    const known = await live.list(kind);
    const choices = known.map(({ id, name, details }) => ({
      label: name,
      description: name === id ? '' : id,
      detail: details,
      id,
    }));
    if (kind === 'wallets') return [...byHand, ...getOwnerChoices(context, session, choices)];
    const { name } = session.profile;
    const label = kind === 'templates' ? l10n.t('No templates on {0}', name) : l10n.t('No objects on {0}', name);
    return [
      ...byHand,
      ...(choices.length === 0 && none !== undefined ? [{ label, alwaysShow: true, id: '' }] : choices),
    ];
  } catch (error) {
    const what = kind === 'templates' ? l10n.t('Read templates') : l10n.t('Read objects');
    return [...byHand, { label: l10n.t('Retry'), detail: formatError(what, error), alwaysShow: true }];
  }
}

/** The user, receivers of earlier runs, labels and known owners, each once. */
function getOwnerChoices({ liveData, store }: ActionsContext, session: Session, known: readonly Choice[]): Choice[] {
  const live = liveData.get(session);
  const recent = store.all
    .filter(({ connection }) => connection === session.profile.name)
    .map(({ source }) => getString(parseActionFile(source).entries[0]?.value, 'to') ?? '')
    .filter(isReadableId);
  const own = [...live.preflight.ownIds].map((id) => ({ label: l10n.t('Me'), description: id, id }));
  const used = [...new Set(recent)].slice(0, MAX_RECENT).map((id) => {
    const label = formatLine(live.getName(id) ?? id, 80);
    return { label, description: id, detail: l10n.t('recent receiver'), id };
  });
  const all: readonly Choice[] = [...own, ...used, ...known];
  return [...new Map(all.toReversed().map((choice) => [choice.id, choice])).values()].toReversed();
}

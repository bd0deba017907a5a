import * as l10n from '@vscode/l10n';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import { openReport } from '../connections/reports/report-documents.ts';
import { createSessionItems, readConnectionName } from '../connections/session/pick-session.ts';
import { replaceFile } from '../model/files/write-file.ts';
import { MANIFEST_FILE } from '../model/pulled/pulled-folder.ts';
import { requireSession } from '../model/session/require-session.ts';
import type { Session } from '../model/session/session.ts';
import { getErrorMessage } from '../model/text/error-message.ts';
import { formatList, formatNumber, pluralize } from '../platform/text/localization.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { compareInventories, parseMapping, type Comparison, type Difference, type Mapping } from './compare.ts';
import { ComparisonView } from './comparison-view.ts';
import { getKindLabel, readFolderInventory, readInventory, type Inventory } from './inventory.ts';
import { formatJsonReport, formatMarkdown } from './report.ts';
import { escapeIcons } from '../ui/escape-icons.ts';

/** Files of mappings that the user chose, by the names of both environments. */
const MAPPINGS = 'environments.mappings';

interface Side {
  readonly name: string;
  readonly inventory: Inventory;
}

interface Environment {
  readonly name: string;
  readonly source: Session | vscode.Uri;
}

/** Compare Environments, and the mapping of what is the same in both. */
export class EnvironmentComparison {
  readonly #services: Services;
  readonly #view: ComparisonView;
  #sides: { readonly from: Side; readonly to: Side } | undefined;
  #comparison: Comparison | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#view = new ComparisonView(services.context);
    services.context.subscriptions.push(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.#sides !== undefined && uri.toString() === this.#getMappingFile().toString())
          this.#update().catch((error: unknown) => services.ui.error(getErrorMessage(error)));
      }),
    );
  }

  /**
   * Reads two connections, or a connection and a folder with pulled files, and shows what differs in the Source Control view.
   * Resolves with the comparison; `undefined` if cancelled. Rejects with PlatformError, or with Error if there is nothing to
   * compare with, or for an unusable folder or mapping.
   */
  async compare(argument: unknown): Promise<Comparison | undefined> {
    const { sessions, ui } = this.#services;
    const named = readConnectionName(argument);
    const session =
      named === undefined
        ? await sessions.pickSession(l10n.t('Select the first environment'))
        : requireSession(sessions, named);
    const other = session && (await this.#pickOther(session));
    if (session === undefined || other === undefined) return undefined;
    const { name } = session.profile;
    const folder = other.source instanceof vscode.Uri ? await readFolderInventory(other.source.fsPath) : undefined;
    const [one, two] = await ui.progress(l10n.t('Comparing {0} with {1}', name, other.name), (signal, report) => {
      const counts = [0, 0];
      const read = ({ client, profile }: Session, index: number): Promise<Inventory> =>
        readInventory(client, {
          name: profile.name,
          organizations: profile.organizations,
          pulledFrom: folder?.pulledFrom,
          signal,
          report: (count) => {
            counts[index] = count;
            const all = counts.reduce((sum, part) => sum + part);
            report(pluralize(all, l10n.t('{0} resource|{0} resources')));
          },
        });
      return Promise.all([read(session, 0), other.source instanceof vscode.Uri ? folder : read(other.source, 1)]);
    });
    const ended = AbortSignal.any([session, other.source].flatMap((each) => ('ended' in each ? [each.ended] : [])));
    if (two === undefined || ended.aborted) return undefined;
    const sides = { from: { name, inventory: one }, to: { name: other.name, inventory: two } };
    this.#sides = sides;
    const comparison = await this.#update();
    ended.addEventListener('abort', () => {
      if (this.#sides === sides) this.close();
    });
    void this.#report(comparison);
    return comparison;
  }

  /**
   * Matches a resource that only one environment has with one of the other by hand; both can be picked. Rejects with Error if
   * nothing was compared or nothing is left to match it with.
   */
  async match(row: unknown): Promise<void> {
    const { ui } = this.#services;
    const title = l10n.t('Match With');
    const unmatched = (this.#comparison?.differences ?? []).filter(({ change }) => change !== 'changed');
    const pick = async (choices: readonly Difference[]): Promise<Difference | undefined> =>
      (
        await ui.pick(
          choices.map((difference) => ({
            label: escapeIcons(toPlainText(difference.name, 80)),
            description: escapeIcons(
              [getKindLabel(difference.kind), toPlainText((difference.from ?? difference.to)?.id ?? '')].join(' · '),
            ),
            difference,
          })),
          { title, matchOnDescription: true },
        )
      )?.difference;
    const one = this.#view.find(row) ?? (await pick(unmatched));
    if (one === undefined) return;
    const others = unmatched.filter(({ kind, change }) => kind === one.kind && change !== one.change);
    if (others.length === 0)
      throw new Error(l10n.t('The other environment has nothing left of this kind to match it with'));
    const other = await pick(others);
    const [from, to] = [one.from ?? other?.from, one.to ?? other?.to];
    if (other === undefined || from === undefined || to === undefined) return;
    await this.#writeMapping({ ...(await this.#readMapping()), [from.id]: to.id });
    await this.#update();
  }

  /** Opens the mapping of the comparison as a file, which is used again when it is saved. Rejects with Error if nothing was compared. */
  async editMapping(): Promise<void> {
    const file = this.#getMappingFile();
    await Promise.resolve(vscode.workspace.fs.stat(file)).catch(() => this.#writeMapping({}));
    await vscode.window.showTextDocument(file);
  }

  /** Uses a file that the user picks as the mapping of these environments from now on. Rejects with Error if it is none. */
  async selectMapping(file?: unknown): Promise<void> {
    const { from, to } = this.#requireSides();
    const filters = { [l10n.t('Mapping of IDs')]: ['json'] };
    const [chosen] = file instanceof vscode.Uri ? [file] : ((await vscode.window.showOpenDialog({ filters })) ?? []);
    if (chosen === undefined) return;
    await this.#readMapping(chosen);
    const { workspaceState } = this.#services.context;
    const files = workspaceState.get<Readonly<Record<string, string>>>(MAPPINGS);
    await workspaceState.update(MAPPINGS, { ...files, [getKey(from, to)]: chosen.toString() });
    await this.#update();
  }

  /** Removes the comparison from the Source Control view. */
  close(): void {
    this.#view.close();
    this.#sides = undefined;
    this.#comparison = undefined;
  }

  async #pickOther(session: Session): Promise<Environment | undefined> {
    const { name } = session.profile;
    const { sessions, ui } = this.#services;
    const manifests = await vscode.workspace.findFiles(`**/${MANIFEST_FILE}`);
    const folders = manifests.map((manifest) => {
      const uri = vscode.Uri.joinPath(manifest, '..');
      const label = vscode.workspace.asRelativePath(uri);
      return { label: `$(folder) ${label}`, description: l10n.t('pulled files'), name: label, source: uri };
    });
    const others = sessions.all.filter((other) => other !== session);
    const connections = createSessionItems(others, undefined).map((item) => ({
      ...item,
      name: item.session.profile.name,
      source: item.session,
    }));
    const choices: readonly (vscode.QuickPickItem & Environment)[] = [...connections, ...folders];
    if (choices.length === 0) throw new Error(l10n.t('Add a connection or pull files to compare {0} with', name));
    return ui.pick(choices, { title: l10n.t('Compare {0} with', name), matchOnDescription: true });
  }

  /** Compares what was read with the mapping as it is now, and shows it. */
  async #update(): Promise<Comparison> {
    const { from, to } = this.#requireSides();
    const comparison = compareInventories(from.inventory, to.inventory, await this.#readMapping());
    this.#comparison = comparison;
    this.#view.show(l10n.t('{0} ↔ {1}', from.name, to.name), comparison);
    return comparison;
  }

  async #report(comparison: Comparison): Promise<void> {
    const { ui } = this.#services;
    const { differences, equal, missed, partial } = comparison;
    const { from, to } = this.#requireSides();
    const sides = { from: from.name, to: to.name };
    const title = l10n.t('{0} ↔ {1}', from.name, to.name);
    if (differences.length > 0) {
      await vscode.commands.executeCommand('workbench.view.scm');
      await vscode.commands.executeCommand('vscode.changes', title, this.#view.listChanges());
    }
    const summary = l10n.t(
      '{0} ↔ {1}: {2} different, {3} equal',
      from.name,
      to.name,
      formatNumber(differences.length),
      formatNumber(equal),
    );
    const kinds = formatList(missed.map(getKindLabel));
    const [report, json] = [l10n.t('Show Report'), l10n.t('Show JSON')];
    const sentences = [
      missed.length === 0
        ? `${summary}.`
        : l10n.t('{0}. Not compared, since they could not be read: {1}.', summary, kinds),
      partial > 0 &&
        pluralize(
          partial,
          l10n.t(
            'Only the public fields of {0} template could be compared.|Only the public fields of {0} templates could be compared.',
          ),
        ),
    ].filter((sentence) => sentence !== false);
    const isComplete = missed.length === 0 && partial === 0;
    const answer = await ui[isComplete ? 'info' : 'warn'](sentences.join(' '), report, json);
    if (answer === report)
      await openReport(
        [...[from, to].map(({ name }) => encodeURIComponent(name)), `${title.replace(/[/\\]/g, '-')}.md`].join('/'),
        this.#services.redact(formatMarkdown(comparison, sides)),
      );
    if (answer !== json) return;
    const content = this.#services.redact(formatJsonReport(comparison, sides));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'json', content }));
  }

  #requireSides(): { readonly from: Side; readonly to: Side } {
    if (this.#sides === undefined) throw new Error(l10n.t('Compare the environments first'));
    return this.#sides;
  }

  /** The file that the user chose, else one of the extension. */
  #getMappingFile(): vscode.Uri {
    const { from, to } = this.#requireSides();
    const { workspaceState, globalStorageUri } = this.#services.context;
    const chosen = workspaceState.get<Readonly<Record<string, unknown>>>(MAPPINGS)?.[getKey(from, to)];
    if (typeof chosen === 'string') return vscode.Uri.parse(chosen);
    const name = `${encodeURIComponent(from.name)}--${encodeURIComponent(to.name)}.json`;
    return vscode.Uri.joinPath(globalStorageUri, 'mappings', name);
  }

  async #readMapping(file = this.#getMappingFile()): Promise<Mapping> {
    const bytes = await Promise.resolve(vscode.workspace.fs.readFile(file)).catch(() => undefined);
    const mapping = bytes === undefined ? {} : parseMapping(new TextDecoder().decode(bytes));
    if (mapping === undefined) throw new Error(l10n.t('{0} is not a JSON object of IDs', file.fsPath));
    return mapping;
  }

  async #writeMapping(mapping: Mapping): Promise<void> {
    const file = this.#getMappingFile().fsPath;
    await fs.mkdir(path.dirname(file), { recursive: true });
    await replaceFile(file, `${JSON.stringify(mapping, undefined, 2)}\n`);
  }
}

function getKey(from: Side, to: Side): string {
  return JSON.stringify([from.name, to.name]);
}

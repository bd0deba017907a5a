import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { resolveOrganization } from '../../connections/commands/edit-organization.ts';
import { MANIFEST_FILE, PULLED_KINDS } from '../../model/pulled/pulled-folder.ts';
import { requireSession } from '../../model/session/require-session.ts';
import type { Organization, Session } from '../../model/session/session.ts';
import { formatOrganization } from '../../model/text/heading.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatList, pluralize } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { pickPulledFolder } from './pick-folder.ts';
import {
  compareFolder,
  pullFiles,
  requireManifest,
  settleFile,
  type FileState,
  type FileStatus,
  type PullTarget,
} from './pull.ts';
import { readOrganization, type PlatformFiles } from './read-organization.ts';

/** The scheme of what the platform has of a file. */
const SCHEME = 'smartobject-pulled';
type ChangedState = Exclude<FileState, 'current'>;

interface PulledFolder {
  readonly root: vscode.Uri;
  target: PullTarget;
  readonly organization: Organization;
  /** by which it was read last */
  connection: string;
  readonly control: vscode.SourceControl;
  readonly groups: Readonly<Record<ChangedState, vscode.SourceControlResourceGroup>>;
  /** what was read last, and what differs from it */
  platform: PlatformFiles;
  statuses: readonly FileStatus[];
  isStale: boolean;
  updating?: Promise<void> | undefined;
}

interface Found {
  readonly folder: PulledFolder;
  readonly status: FileStatus;
  readonly uri: vscode.Uri;
}

/**
 * Folders with pulled files: what differs from the platform is in the Source Control view, with a diff, and decorated
 * wherever the file is shown. The platform is only read by a command of the user; the files are watched.
 */
export class PulledFolders {
  readonly #services: Services;
  readonly #folders = new Map<string, PulledFolder>();
  readonly #decorationsChanged = new vscode.EventEmitter<undefined>();
  readonly #textChanged = new vscode.EventEmitter<vscode.Uri>();

  constructor(services: Services) {
    this.#services = services;
    services.context.subscriptions.push(
      this.#decorationsChanged,
      this.#textChanged,
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.#decorationsChanged.event,
        provideFileDecoration: (uri) => {
          const status = uri.scheme === 'file' ? this.#find(uri)?.status : undefined;
          return status === undefined ? undefined : createDecoration(status);
        },
      }),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.#textChanged.event,
        provideTextDocumentContent: (uri) => this.#find(uri.with({ scheme: 'file' }))?.status.platformText ?? '',
      }),
    );
  }

  /** Pulls what changed on the platform. Resolves with what then differs. Rejects with PlatformError or Error. */
  async pull(argument: unknown): Promise<readonly FileStatus[] | undefined> {
    const folder = await this.#read(argument, true);
    if (folder === undefined) return undefined;
    const { written, failed } = await pullFiles(folder.root.fsPath, folder.target, folder.statuses);
    await this.#update(folder);
    const pulled = pluralize(written.length, l10n.t('{0} file was pulled.|{0} files were pulled.'));
    return this.#report(folder, [pulled], [...folder.platform.unread, ...failed]);
  }

  /** Reads the platform and shows what differs; changes no file. Resolves and rejects as `pull` does. */
  async check(argument: unknown): Promise<readonly FileStatus[] | undefined> {
    const folder = await this.#read(argument, false);
    return folder && this.#report(folder, [], [...folder.platform.unread]);
  }

  #report(
    folder: PulledFolder,
    sentences: readonly string[],
    problems: readonly (readonly [string, string])[],
  ): readonly FileStatus[] {
    const { ui } = this.#services;
    const changed = listChanged(folder);
    const both = changed.filter(({ state }) => state === 'both').length;
    const text = [
      ...sentences,
      changed.length === 0
        ? l10n.t('The files are as on the platform.')
        : pluralize(changed.length, l10n.t('{0} file differs from the platform.|{0} files differ from the platform.')),
      both > 0 &&
        pluralize(both, l10n.t('{0} changed on both sides and was kept.|{0} changed on both sides and were kept.')),
      problems.length > 0 &&
        pluralize(
          problems.length,
          l10n.t('{0} could not be read or written, and was kept:|{0} could not be read or written, and were kept:'),
        ),
      ...problems.slice(0, 1).map((problem) => toPlainText(problem.join(': '), 200)),
    ]
      .filter((sentence) => sentence !== false)
      .join(' ');
    const show = l10n.t('Show Changes');
    const buttons = changed.length > 0 ? [show] : [];
    const answer = problems.length > 0 || both > 0 ? ui.warn(text, ...buttons) : ui.info(text, ...buttons);
    void answer.then((button) => {
      if (button === show) void vscode.commands.executeCommand('workbench.view.scm');
    });
    return changed;
  }

  /** Opens the diff of a file with the platform, or the one side that there is. Rejects with Error if nothing is pulled. */
  async openChange(argument: unknown): Promise<void> {
    for (const { status, uri } of await this.#requireFiles([argument], l10n.t('Open Changes'))) {
      const original = uri.with({ scheme: SCHEME });
      if (status.platformText === undefined || status.local === undefined)
        await vscode.commands.executeCommand('vscode.open', status.platformText === undefined ? uri : original);
      else
        await vscode.commands.executeCommand(
          'vscode.diff',
          original,
          uri,
          l10n.t('{0} (platform ↔ file)', path.posix.basename(uri.path)),
        );
    }
  }

  /** Replaces files with the version of the platform, after a confirmation, or keeps them. Rejects with Error. */
  async settle(version: 'platform' | 'local', files: readonly unknown[]): Promise<void> {
    const isPlatform = version === 'platform';
    const title = isPlatform ? l10n.t('Use Platform Version') : l10n.t('Keep Local Version');
    const found = await this.#requireFiles(files, title);
    const lost = found.filter(({ status: { local, base } }) => isPlatform && local !== undefined && local !== base);
    const isAgreed =
      lost.length === 0 ||
      (await this.#services.ui.confirm({
        message: pluralize(
          lost.length,
          l10n.t(
            'Replace {0} file with the version of the platform?|Replace {0} files with the versions of the platform?',
          ),
        ),
        detail: l10n.t('Your changes are lost: {0}.', formatList(lost.map(({ status }) => status.entry.file))),
        confirmLabel: l10n.t('Replace'),
      }));
    if (!isAgreed) return;
    try {
      for (const { folder, status } of found) await settleFile(folder.root.fsPath, folder.target, status, version);
    } finally {
      for (const folder of new Set(found.map((each) => each.folder))) await this.#update(folder);
    }
  }

  /**
   * Copies what the web console takes, since the contract has no operation that writes: the content of a face as it is, a
   * template as JSON; without known secrets. Resolves with the text. Rejects with Error for another file.
   */
  async copyForConsole(argument: unknown): Promise<string> {
    const uri = getFileUri(argument) ?? vscode.window.activeTextEditor?.document.uri;
    const [, kind] = /\.(face\.html|template\.json)$/i.exec(uri?.path ?? '') ?? [];
    if (uri === undefined || kind === undefined)
      throw new Error(l10n.t('Select the file of a face (*.face.html) or of a template (*.template.json)'));
    const text = this.#services.redact((await vscode.workspace.openTextDocument(uri)).getText());
    await vscode.env.clipboard.writeText(text);
    const message = kind.endsWith('html')
      ? l10n.t('Copied the content of the face')
      : l10n.t('Copied the JSON of the template');
    vscode.window.setStatusBarMessage(`$(check) ${message}`, 2500);
    return text;
  }

  /** Reads the platform and compares; `undefined` if cancelled. */
  async #read(argument: unknown, mayAsk: boolean): Promise<PulledFolder | undefined> {
    const opened = await this.#open(argument, mayAsk);
    if (opened === undefined) return undefined;
    const { session, organization, target, root } = opened;
    const { files: pulled } = await requireManifest(root.fsPath, target);
    const title = l10n.t('Reading templates and faces of {0}', formatOrganization(organization));
    const platform = await this.#services.ui.progress(title, (signal, report) =>
      readOrganization(session.client, target.organization, {
        pulled,
        signal: AbortSignal.any([signal, session.ended]),
        report: (count) => report(pluralize(count, l10n.t('{0} resource|{0} resources'))),
      }),
    );
    const statuses = await compareFolder(root.fsPath, target, platform);
    const folder = this.#folders.get(root.toString()) ?? this.#create(root, target, organization, session);
    folder.connection = session.profile.name;
    folder.target = target;
    folder.platform = platform;
    folder.statuses = statuses;
    this.#show(folder);
    return folder;
  }

  async #open(
    argument: unknown,
    mayAsk: boolean,
  ): Promise<(Pick<PulledFolder, 'root' | 'target' | 'organization'> & { readonly session: Session }) | undefined> {
    const control: unknown =
      typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'rootUri') : undefined;
    const known = control instanceof vscode.Uri ? this.#folders.get(control.toString()) : undefined;
    if (known !== undefined) {
      const session = requireSession(this.#services.sessions, known.connection);
      return { ...known, session, target: createTarget(session, known.organization) };
    }
    const title = mayAsk ? l10n.t('Pull Templates and Faces') : l10n.t('Check for Changes');
    const found = await resolveOrganization(this.#services, argument, title, () => true);
    if (found === undefined) return undefined;
    const { session, organization } = found;
    const target = createTarget(session, organization);
    const root = await pickPulledFolder(this.#services, target, organization, mayAsk);
    return root === undefined ? undefined : { root, target, organization, session };
  }

  #create(root: vscode.Uri, target: PullTarget, organization: Organization, session: Session): PulledFolder {
    const name = formatOrganization(organization);
    const control = vscode.scm.createSourceControl('smartObjects', l10n.t('Pulled from {0}', name), root);
    control.inputBox.visible = false;
    const groups = {
      both: control.createResourceGroup('both', l10n.t('Changed on Both Sides')),
      platform: control.createResourceGroup('platform', l10n.t('Changed on Platform')),
      local: control.createResourceGroup('local', l10n.t('Changed Locally')),
    };
    for (const group of Object.values(groups)) group.hideWhenEmpty = true;
    const folder: PulledFolder = {
      root,
      target,
      organization,
      control,
      groups,
      connection: session.profile.name,
      platform: { files: [], unread: new Map() },
      statuses: [],
      isStale: false,
    };
    this.#folders.set(root.toString(), folder);
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(root, `{${MANIFEST_FILE},${PULLED_KINDS.map((kind) => `${kind}/*`).join(',')}}`),
    );
    const update = (): void => {
      this.#update(folder).catch((error: unknown) => this.#services.log.warn(getErrorMessage(error)));
    };
    for (const listen of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) listen(update);
    this.#services.context.subscriptions.push(control, watcher);
    void vscode.commands.executeCommand('setContext', 'smartObjects.hasPulledFiles', true);
    return folder;
  }

  /** Compares the files again with what was read last; one comparison at a time. Rejects as `compareFolder` does. */
  #update(folder: PulledFolder): Promise<void> {
    folder.isStale = true;
    folder.updating ??= (async () => {
      try {
        while (folder.isStale) {
          folder.isStale = false;
          folder.statuses = await compareFolder(folder.root.fsPath, folder.target, folder.platform);
          this.#show(folder);
        }
      } finally {
        folder.updating = undefined;
      }
    })();
    return folder.updating;
  }

  #show(folder: PulledFolder): void {
    const { control, groups } = folder;
    const changed = listChanged(folder);
    for (const state of ['both', 'platform', 'local'] as const)
      groups[state].resourceStates = changed
        .filter((status) => status.state === state)
        .map((status) => {
          const resourceUri = getUri(folder, status);
          const strikeThrough = status.platform === undefined || status.local === undefined;
          return {
            resourceUri,
            command: {
              command: 'smartObjects.openPulledChange',
              title: l10n.t('Open Changes'),
              arguments: [resourceUri],
            },
            decorations: { strikeThrough, tooltip: describe(status) },
          };
        });
    control.count = changed.length;
    this.#decorationsChanged.fire(undefined);
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.#textChanged.fire(uri);
  }

  #find(uri: vscode.Uri): Found | undefined {
    for (const folder of this.#folders.values()) {
      const prefix = `${folder.root.path}/`;
      const file = uri.path.startsWith(prefix) ? uri.path.slice(prefix.length) : undefined;
      const status = file && folder.statuses.find(({ entry }) => entry.file === file);
      if (status) return { folder, status, uri };
    }
    return undefined;
  }

  /** The files of arguments, else that of the active editor, else the user's choice. Rejects with Error if there is none. */
  async #requireFiles(files: readonly unknown[], title: string): Promise<readonly Found[]> {
    const given = files.flatMap((file) => getFileUri(file) ?? []);
    const active = vscode.window.activeTextEditor?.document.uri;
    const uris = given.length > 0 ? given : active === undefined ? [] : [active];
    const found = uris.flatMap((uri) => this.#find(uri.with({ scheme: 'file' })) ?? []);
    if (found.length > 0) return found;
    const changed = [...this.#folders.values()].flatMap((folder) =>
      listChanged(folder).map((status) => {
        const { file: label } = status.entry;
        return { label, description: describe(status), folder, status, uri: getUri(folder, status) };
      }),
    );
    if (given.length > 0 || changed.length === 0)
      throw new Error(l10n.t('No changes of pulled files are known. Check for changes first'));
    const chosen = await this.#services.ui.pick(changed, { title, placeHolder: l10n.t('Select a file') });
    return chosen === undefined ? [] : [chosen];
  }
}

/** With the environment of the connection as it is now, which the folder may have been pulled without. */
function createTarget({ profile: { environment } }: Session, { id }: Organization): PullTarget {
  return { organization: id, ...(environment !== undefined && { environment }) };
}

const listChanged = ({ statuses }: PulledFolder): readonly FileStatus[] =>
  statuses.filter(({ state }) => state !== 'current');

const getUri = ({ root }: PulledFolder, { entry }: FileStatus): vscode.Uri =>
  vscode.Uri.joinPath(root, ...entry.file.split('/'));

/** What happened to a file, in a few words. */
function describe({ state, platform, local, problem }: FileStatus): string {
  const labels: Readonly<Record<FileState, string>> = {
    current: l10n.t('As on the platform'),
    both: l10n.t('Changed on the platform and locally'),
    platform: platform === undefined ? l10n.t('Deleted on the platform') : l10n.t('Changed on the platform'),
    local: local === undefined ? l10n.t('Deleted locally') : l10n.t('Changed locally'),
  };
  return problem === undefined ? labels[state] : `${labels[state]} (${toPlainText(problem, 200)})`;
}

const decorations = {
  current: undefined,
  both: { badge: '!', color: 'list.warningForeground' },
  platform: { badge: '↓', color: 'charts.blue' },
  local: { badge: '↑', color: 'charts.green' },
};

function createDecoration(status: FileStatus): vscode.FileDecoration | undefined {
  const { badge, color } = decorations[status.state] ?? {};
  if (badge === undefined || color === undefined) return undefined;
  return new vscode.FileDecoration(badge, describe(status), new vscode.ThemeColor(color));
}

/** The URI that the argument of a command is, or names as a row of the Source Control view. */
function getFileUri(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const uri: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'resourceUri') : undefined;
  return uri instanceof vscode.Uri ? uri : undefined;
}

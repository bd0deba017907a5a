/** Registers the documents' providers and commands; the controller is imported on first use. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';
import { registerCommands } from '../commands/register-commands.ts';
import { commands } from './commands.ts';
import type { DocumentsController } from './controller.ts';
import { DRAG_MIME } from '../model/resources/drag-data.ts';
import { RESOURCE_SCHEME, SNAPSHOT_SCHEME } from '../model/resources/resource-schemes.ts';
import { isLinkingEnabled } from '../ui/link-setting.ts';

/** VS Code shows the hover of the last registered provider first: the thumbnail appears below the card. */
const HOVER_METHODS = ['provideThumbnailHover', 'provideHover'] as const;

/** What pages use of documents; the first call loads them. */
export interface DocumentHooks {
  controller(): Promise<DocumentsController>;
}

/** Registers the file system, links, hovers, lenses and commands of documents. */
export function registerDocuments(features: FeatureContext): DocumentHooks {
  const changed = features.addDisposable(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  let loading: Promise<DocumentsController> | undefined;
  const getController = (): Promise<DocumentsController> => (loading ??= loadController(features, changed));

  const nothing = new vscode.Disposable(() => undefined);
  const readOnly = (): never => {
    throw vscode.FileSystemError.NoPermissions(
      l10n.t('Platform documents are read-only. Use actions to change resources.'),
    );
  };
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => nothing,
    stat: async (uri) => (await getController()).fileSystem.stat(uri),
    readFile: async (uri) => (await getController()).fileSystem.readFile(uri),
    readDirectory: () => [],
    createDirectory: readOnly,
    writeFile: readOnly,
    delete: readOnly,
    rename: readOnly,
  };
  features.addDisposable(
    vscode.workspace.registerFileSystemProvider(RESOURCE_SCHEME, files, {
      // Ids are case-sensitive.
      isCaseSensitive: true,
      isReadonly: new vscode.MarkdownString(
        l10n.t('Platform documents are read-only. Use actions to change resources.'),
      ),
    }),
  );
  registerCodeHovers(features, getController);
  // Neither a document of a resource is open nor a row of the tree is dragged before.
  features.onServicesLoaded(() => {
    registerDocumentLinks(features, getController);
    registerDrops(features);
  });
  features.addDisposable(
    vscode.workspace.registerTextDocumentContentProvider(SNAPSHOT_SCHEME, {
      provideTextDocumentContent: async (uri) => (await getController()).readSnapshotText(uri),
    }),
  );
  registerCommands(features, async () => (await getController()).context, commands);
  return { controller: getController };
}

function registerDocumentLinks(features: FeatureContext, getController: () => Promise<DocumentsController>): void {
  const { languages } = vscode;
  const documents: vscode.DocumentSelector = { scheme: RESOURCE_SCHEME };
  const lensesChanged = features.addDisposable(new vscode.EventEmitter<void>());
  let listening: vscode.Disposable | undefined;
  features.addDisposable(
    languages.registerDocumentLinkProvider(documents, {
      provideDocumentLinks: async (document) => (await getController()).documentLinks.provideDocumentLinks(document),
    }),
  );

  for (const method of HOVER_METHODS) {
    features.addDisposable(
      languages.registerHoverProvider(documents, {
        provideHover: async (document, position) => (await getController()).documentLinks[method](document, position),
      }),
    );
  }
  features.addDisposable(
    languages.registerCodeLensProvider(documents, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async (document) => {
        const { status } = await getController();
        listening ??= features.addDisposable(status.onDidChangeCodeLenses(() => lensesChanged.fire()));
        return status.provideCodeLenses(document);
      },
    }),
  );
}

/** Registers hovers for the user's own files. The controller is imported by the first hover over an id-like word. */
function registerCodeHovers(features: FeatureContext, getController: () => Promise<DocumentsController>): void {
  const { languages } = vscode;
  const code: vscode.DocumentSelector = [{ scheme: 'file' }, { scheme: 'untitled' }];
  const mayBeId = (document: vscode.TextDocument, position: vscode.Position): boolean =>
    document.getWordRangeAtPosition(position, /[\w-]{4,}/) !== undefined;
  for (const method of HOVER_METHODS) {
    features.addDisposable(
      languages.registerHoverProvider(code, {
        provideHover: async (document, position) =>
          isLinkingEnabled() && mayBeId(document, position)
            ? (await getController()).codeLinks[method](document, position)
            : undefined,
      }),
    );
  }
}

/** Registers drops of resources into any file. */
function registerDrops(features: FeatureContext): void {
  features.addDisposable(
    vscode.languages.registerDocumentDropEditProvider(
      '*',
      {
        provideDocumentDropEdits: async (document, position, transfer, token) =>
          (await import('./commands/insert-id.ts')).createDropEdits(document, position, transfer, token),
      },
      { dropMimeTypes: [DRAG_MIME] },
    ),
  );
}

async function loadController(
  features: FeatureContext,
  changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
): Promise<DocumentsController> {
  const [services, { createDocumentsController }] = await Promise.all([features.services(), import('./controller.ts')]);
  const controller = createDocumentsController(features, services, changed);
  reregisterLinks(features, controller);
  return controller;
}

/** Replaces the link provider when links change: `DocumentLinkProvider` has no change event. */
function reregisterLinks(features: FeatureContext, { codeLinks }: DocumentsController): void {
  const register = (): vscode.Disposable =>
    vscode.languages.registerDocumentLinkProvider([{ scheme: 'file' }, { scheme: 'untitled' }], {
      provideDocumentLinks: (document) => codeLinks.provideDocumentLinks(document),
    });
  let links = register();
  features.addDisposable(
    codeLinks.onDidChangeLinks(() => {
      links.dispose();
      links = register();
    }),
  );
  features.addDisposable({
    dispose: () => {
      links.dispose();
    },
  });
}

import * as vscode from 'vscode';
import type { IdIndex } from '../cache/id-index.ts';
import type { FeatureContext, Services } from '../commands/context.ts';
import { Disposables } from '../ui/disposables.ts';
import type { ViewState } from '../webviews/protocol/logs.ts';
import { findMarks, type Mark } from './find-marks.ts';
import { formatLens } from './format-lens.ts';
import { LensData } from './lens-data.ts';

const CODE: vscode.DocumentSelector = [{ scheme: 'file' }, { scheme: 'untitled' }];
/** UTF-16 units; larger files are data. */
const MAX_FILE_LENGTH = 256 * 1024;
/** Milliseconds after which what is shown is read again. */
const MAX_AGE = 60_000;

/** A lens before its text is known. */
export class LogLens extends vscode.CodeLens {
  readonly mark: Mark;

  constructor(range: vscode.Range, mark: Mark) {
    super(range);
    this.mark = mark;
  }
}

/**
 * Lenses beside actions and templates: how often they run, and where they exist. VS Code resolves the visible ones only,
 * and requests are sent for these alone, while the window has the focus.
 */
export class LogLenses implements vscode.CodeLensProvider<LogLens> {
  readonly #services: Services;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #data: LensData;
  /** until a shown lens is out of date */
  #timer: NodeJS.Timeout | undefined;
  #isOutdated = false;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(services: Services) {
    this.#services = services;
    const isActive = (): boolean => vscode.window.state.focused;
    const onDidChange = (): void => this.#changed.fire();
    this.#data = this.#disposables.add(
      new LensData({ now: Date.now, maxAge: MAX_AGE, isActive, onDidRead: onDidChange }),
    );
    this.#disposables.add(services.sessions.onDidChange(onDidChange));
    this.#disposables.add(
      vscode.window.onDidChangeWindowState(() => {
        if (this.#isOutdated && isActive()) onDidChange();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<LogLens[]> {
    const text = document.getText();
    const { sessions, knownIds } = this.#services;
    const { active } = sessions;
    if (active === undefined || active.signedOutReason !== undefined || text.length > MAX_FILE_LENGTH) return [];
    const index = await knownIds.load();
    return findMarks(text, (id) => isKnownTemplate(index, id)).map(({ offset, ...mark }) => {
      const { line } = document.positionAt(offset);
      return new LogLens(new vscode.Range(line, 0, line, 0), mark);
    });
  }

  /** Shows what is known; what is read meanwhile re-renders the lenses. */
  resolveCodeLens(lens: LogLens): LogLens {
    const { active, all } = this.#services.sessions;
    if (active === undefined) return lens;
    const facts = this.#data.get(active, lens.mark, all);
    this.#isOutdated = facts.busy && !vscode.window.state.focused;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#isOutdated = true;
      if (vscode.window.state.focused) this.#changed.fire();
    }, MAX_AGE);
    lens.command = {
      ...formatLens(facts, Date.now(), all.length > 1),
      command: 'smartObjects.showActionLogs',
      arguments: [createLogsState(active.profile.name, lens.mark)],
    };
    return lens;
  }
}

function isKnownTemplate(index: IdIndex, id: string): boolean {
  return index.find(id).some(({ kind }) => kind === 'templates');
}

/** The action logs of a mark. They have no filter by action or template, so their text is searched. */
function createLogsState(connection: string, { kind, name }: Mark): ViewState {
  return {
    mode: 'logs',
    filters: { connections: [connection], organizations: [], range: 'latest' },
    text: kind === 'template' ? `template:${name}` : name,
    following: false,
  };
}

/** Registers the lenses while `isOn`. Rejects with what loading the services rejects with. */
export async function registerLenses(features: FeatureContext, isOn: () => boolean): Promise<void> {
  const services = await features.services();
  let registered: Disposables | undefined;
  const update = (): void => {
    if (isOn() === (registered !== undefined)) return;
    registered?.dispose();
    registered = isOn() ? new Disposables() : undefined;
    if (registered === undefined) return;
    const lenses = registered.add(new LogLenses(services));
    registered.add(vscode.languages.registerCodeLensProvider(CODE, lenses));
  };
  features.addDisposable(vscode.workspace.onDidChangeConfiguration(update));
  features.addDisposable({ dispose: () => registered?.dispose() });
  update();
}

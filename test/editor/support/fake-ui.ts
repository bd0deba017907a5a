/** Dialogs with scripted answers and an output channel that is recorded. */
import type * as vscode from 'vscode';
import type { Log } from '../../../src/ui/log.ts';
import {
  BACK,
  type LiveQuickPickOptions,
  type LiveQuickPickItems,
  type ConfirmOptions,
  type ProgressStepOptions,
  type LiveChoice,
  type StepPosition,
  type Ui,
} from '../../../src/ui/ui.ts';

export type PromptKind = 'confirm' | 'confirmByTyping' | 'input' | 'pick' | 'info' | 'warn' | 'error';

/** A recorded dialog, input box, list or notification. */
export interface ShownMessage {
  readonly kind: PromptKind | 'invalid' | 'progress' | 'browse';
  readonly text: string;
  readonly detail?: string;
  /** buttons, or labels of a list */
  readonly choices: readonly string[];
}

/** Dialogs during which a test can act; a progress step is left with the back button then. */
type DialogKind = 'confirm' | 'input' | 'pick' | 'progress';

/** The answer to one prompt: a value, or a function of the prompt. For a list, the label or a part of it. */
export type ScriptedAnswer =
  boolean | string | typeof BACK | undefined | ((message: ShownMessage) => boolean | string | typeof BACK | undefined);

export class FakeUi implements Ui {
  readonly messages: ShownMessage[] = [];
  /** cancels the next progress that reports a matching step */
  cancelAt: RegExp | undefined;
  readonly #answers: { readonly kind: PromptKind; readonly answer: ScriptedAnswer }[] = [];
  readonly #whileOpen: { readonly kind: DialogKind; readonly work: () => Promise<unknown> }[] = [];

  /** Adds answers to the next prompts of that kind, in order. */
  answer(kind: PromptKind, ...answers: ScriptedAnswer[]): void {
    for (const answer of answers) this.#answers.push({ kind, answer });
  }

  /** Runs `work` while the next prompt of that kind is open, before it is answered. */
  whileOpen(kind: DialogKind, work: () => Promise<unknown>): void {
    this.#whileOpen.push({ kind, work });
  }

  /** The texts of all messages of that kind so far, in order. */
  readMessages(kind: ShownMessage['kind']): readonly string[] {
    return this.messages.filter((message) => message.kind === kind).map(({ text }) => text);
  }

  /** Number of scripted answers that no prompt has used. */
  get unusedAnswers(): number {
    return this.#answers.length;
  }

  reset(): void {
    this.cancelAt = undefined;
    this.messages.length = 0;
    this.#answers.length = 0;
    this.#whileOpen.length = 0;
  }

  async confirm({ message, detail, confirmLabel: action }: ConfirmOptions): Promise<boolean> {
    await this.#takeWhileOpen('confirm')?.();
    return this.#answerPrompt('confirm', message, [action], detail) === true;
  }

  /** Answered by `confirm`: a label, or a part of it. */
  choose(
    { message, detail }: Pick<ConfirmOptions, 'message' | 'detail'>,
    labels: readonly string[],
  ): Promise<string | undefined> {
    const answer = this.#answerPrompt('confirm', message, labels, detail);
    return Promise.resolve(typeof answer === 'string' ? labels.find((label) => label.includes(answer)) : undefined);
  }

  confirmByTyping({ message, detail, confirmLabel: action }: ConfirmOptions, expected: string): Promise<boolean> {
    const answer = this.#answerPrompt('confirmByTyping', message, [action, expected], detail);
    return Promise.resolve(answer === true || answer === expected);
  }

  async input(options: vscode.InputBoxOptions): Promise<string | undefined> {
    const answer = await this.#answerInput(options);
    return answer === BACK ? undefined : answer;
  }

  inputStep(options: vscode.InputBoxOptions & StepPosition): Promise<string | typeof BACK | undefined> {
    return this.#answerInput(options);
  }

  async pick<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: vscode.QuickPickOptions,
  ): Promise<Choice | undefined> {
    const list = await choices;
    await this.#takeWhileOpen('pick')?.();
    const answer = this.#answerPick(list, options);
    return answer === BACK ? undefined : answer;
  }

  /** Answered as a list, by `pick`: a label, or else the text that is typed. */
  async pickOrType<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: vscode.QuickPickOptions,
  ): Promise<Choice | string | undefined> {
    const list = await choices;
    const answer = this.#answerPrompt(
      'pick',
      options.title ?? options.placeHolder ?? '',
      formatLabels(list),
      options.placeHolder,
    );
    if (typeof answer !== 'string') return undefined;
    return findChoice(list, answer) ?? answer;
  }

  /** The text comes from an `input` answer; when the list is complete, a `pick` answer chooses the row, also if it stays open. */
  async pickLive<Choice extends LiveChoice>(live: LiveQuickPickOptions<Choice>): Promise<Choice | undefined> {
    const typed = this.#answerPrompt('input', live.title, [], live.placeHolder);
    if (typeof typed !== 'string') return undefined;
    live.onDidType(live.value ?? '', ({ choices }) => {
      this.#record({ kind: 'pick', text: live.title, detail: 'at first', choices: formatLabels(choices) });
    });
    let latest: LiveQuickPickItems<Choice> = { choices: [], busy: true };
    let arrived = Promise.withResolvers<undefined>();
    live.onDidType(typed, (list) => {
      latest = list;
      arrived.resolve(undefined);
      arrived = Promise.withResolvers();
    });
    for (;;) {
      while (latest.busy) await arrived.promise;
      const chosen = this.#answerPick(latest.choices, { title: live.title });
      if (chosen !== undefined && chosen !== BACK && live.onDidAccept?.(chosen) === true) continue;
      live.onDidClose();
      return chosen === BACK ? undefined : chosen;
    }
  }

  /** Answered as an input box, by a path, or an address with a scheme. */
  showSaveDialog(options: vscode.SaveDialogOptions): Promise<vscode.Uri | undefined> {
    const answer = this.#answerPrompt('input', options.title ?? 'Save', [], options.defaultUri?.path);
    const [, scheme = 'file', path = ''] =
      typeof answer === 'string' ? (/^(?:([\w-]{2,}):)?(.*)$/.exec(answer) ?? []) : [];
    return Promise.resolve(path === '' ? undefined : options.defaultUri?.with({ scheme, path }));
  }

  async pickStep<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[],
    options: vscode.QuickPickOptions & StepPosition,
  ): Promise<Choice | typeof BACK | undefined> {
    await this.#takeWhileOpen('pick')?.();
    return this.#answerPick(choices, options);
  }

  async progressStep<T>(
    { message }: ProgressStepOptions,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | typeof BACK | undefined> {
    this.#record({ kind: 'progress', text: message, choices: [] });
    const leaving = new AbortController();
    const result = work(leaving.signal);
    const leave = this.#takeWhileOpen('progress');
    if (leave === undefined) return result;
    await leave();
    leaving.abort();
    await result;
    return BACK;
  }

  progress<T>(title: string, work: (signal: AbortSignal, report: (step: string) => void) => Promise<T>): Promise<T> {
    this.#record({ kind: 'progress', text: title, choices: [] });
    const cancelling = new AbortController();
    return work(cancelling.signal, (step) => {
      this.#record({ kind: 'progress', text: step, choices: [] });
      if (this.cancelAt?.test(step) !== true) return;
      this.cancelAt = undefined;
      cancelling.abort();
    });
  }

  info(message: string, ...buttons: string[]): Promise<string | undefined> {
    return this.#notify('info', message, buttons);
  }
  warn(message: string, ...buttons: string[]): Promise<string | undefined> {
    return this.#notify('warn', message, buttons);
  }
  error(message: string, ...buttons: string[]): Promise<string | undefined> {
    return this.#notify('error', message, buttons);
  }

  openExternal(url: string): Promise<void> {
    this.#record({ kind: 'browse', text: url, choices: [] });
    return Promise.resolve();
  }

  #takeWhileOpen(kind: DialogKind): (() => Promise<unknown>) | undefined {
    const index = this.#whileOpen.findIndex((scripted) => scripted.kind === kind);
    return index < 0 ? undefined : this.#whileOpen.splice(index, 1)[0]?.work;
  }

  #notify(kind: 'info' | 'warn' | 'error', message: string, buttons: readonly string[]): Promise<string | undefined> {
    const answer = this.#answerPrompt(kind, message, buttons);
    return Promise.resolve(typeof answer === 'string' ? answer : undefined);
  }

  /** Text that fails validation is recorded as `invalid`, and the next answer is used. */
  async #answerInput(options: vscode.InputBoxOptions): Promise<string | typeof BACK | undefined> {
    for (;;) {
      await this.#takeWhileOpen('input')?.();
      const answer = this.#answerPrompt('input', options.title ?? options.prompt ?? '', [], options.prompt);
      if (typeof answer !== 'string') return answer === BACK ? BACK : undefined;
      const problem = await options.validateInput?.(answer);
      const text = typeof problem === 'string' ? problem : problem?.message;
      if (text === undefined || text === '') return answer;
      this.#record({ kind: 'invalid', text, choices: [] });
    }
  }

  #answerPick<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[],
    options: vscode.QuickPickOptions,
  ): Choice | typeof BACK | undefined {
    const labels = formatLabels(choices);
    const detail = options.prompt ?? options.placeHolder;
    const answer = this.#answerPrompt('pick', options.title ?? options.placeHolder ?? '', labels, detail);
    if (typeof answer !== 'string') return answer === BACK ? BACK : undefined;
    const found = findChoice(choices, answer);
    if (found === undefined) throw new Error(`no choice is named ${answer}: ${labels.join(', ')}`);
    return found;
  }

  #answerPrompt(
    kind: PromptKind,
    text: string,
    choices: readonly string[],
    detail?: string,
  ): boolean | string | typeof BACK | undefined {
    const message: ShownMessage = { kind, text, choices, ...(detail !== undefined && { detail }) };
    this.#record(message);
    const index = this.#answers.findIndex((scripted) => scripted.kind === kind);
    if (index < 0) return undefined;
    const [scripted] = this.#answers.splice(index, 1);
    const answer = scripted?.answer;
    return typeof answer === 'function' ? answer(message) : answer;
  }

  #record(message: ShownMessage): void {
    this.messages.push(message);
  }
}

function formatLabels(choices: readonly vscode.QuickPickItem[]): string[] {
  return choices.map(({ label, description }) => (description === undefined ? label : `${label} ${description}`));
}

function findChoice<Choice extends vscode.QuickPickItem>(choices: readonly Choice[], text: string): Choice | undefined {
  const exact = choices.find(({ label }) => label === text);
  return exact ?? choices.find((choice) => formatLabels([choice])[0]?.includes(text));
}

export class FakeLog implements Log {
  readonly lines: string[] = [];

  trace(message: string, ...more: unknown[]): void {
    this.#write('trace', message, more);
  }
  debug(message: string, ...more: unknown[]): void {
    this.#write('debug', message, more);
  }
  info(message: string, ...more: unknown[]): void {
    this.#write('info', message, more);
  }
  warn(message: string, ...more: unknown[]): void {
    this.#write('warn', message, more);
  }
  error(message: string | Error, ...more: unknown[]): void {
    this.#write('error', String(message), more);
  }
  show(): void {
    this.lines.push('[shown]');
  }
  dispose(): void {
    this.lines.length = 0;
  }

  #write(level: string, message: string, more: readonly unknown[]): void {
    this.lines.push([`[${level}] ${message}`, ...more.map((part) => JSON.stringify(part))].join(' '));
  }
}

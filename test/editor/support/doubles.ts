/** A person and an output channel for tests: answers that were laid out before, and records of all that was said. */
import type * as vscode from 'vscode';
import type { Log } from '../../../src/ui/log.ts';
import { BACK, type Live, type LiveList, type Question, type Step, type Ui } from '../../../src/ui/ui.ts';

export type Asked = 'confirm' | 'confirmByTyping' | 'input' | 'pick' | 'info' | 'warn' | 'error';

/** What was shown: a dialog, an input box, a list, a notification. */
export interface Said {
  readonly kind: Asked | 'invalid' | 'progress' | 'browse';
  readonly text: string;
  readonly detail?: string;
  /** buttons, or labels of a list */
  readonly choices: readonly string[];
}

/** Laid out for one question: a value, or a function of what is asked. For a list the label (or part of it). */
export type Answer =
  boolean | string | typeof BACK | undefined | ((said: Said) => boolean | string | typeof BACK | undefined);

export class TestUi implements Ui {
  readonly all: Said[] = [];
  /** the next progress that says this is cancelled */
  cancelAt: RegExp | undefined;
  readonly #answers: { readonly kind: Asked; readonly answer: Answer }[] = [];
  readonly #meanwhile: { readonly kind: 'confirm' | 'input' | 'pick'; readonly work: () => Promise<unknown> }[] = [];

  /** Answers the next question of that kind; several are taken in order. */
  answer(kind: Asked, ...answers: Answer[]): void {
    for (const answer of answers) this.#answers.push({ kind, answer });
  }

  /** Runs while the next question of that kind stands open, before it is answered. */
  meanwhile(kind: 'confirm' | 'input' | 'pick', work: () => Promise<unknown>): void {
    this.#meanwhile.push({ kind, work });
  }

  /** The texts of that kind so far, in order. */
  said(kind: Said['kind']): readonly string[] {
    return this.all.filter((said) => said.kind === kind).map(({ text }) => text);
  }

  /** Answers that no question has asked for. */
  get left(): number {
    return this.#answers.length;
  }

  reset(): void {
    this.cancelAt = undefined;
    this.all.length = 0;
    this.#answers.length = 0;
    this.#meanwhile.length = 0;
  }

  async confirm({ message, detail, action }: Question): Promise<boolean> {
    await this.#opened('confirm')?.();
    return this.#ask('confirm', message, [action], detail) === true;
  }

  confirmByTyping({ message, detail, action }: Question, expected: string): Promise<boolean> {
    const answer = this.#ask('confirmByTyping', message, [action, expected], detail);
    return Promise.resolve(answer === true || answer === expected);
  }

  async input(options: vscode.InputBoxOptions): Promise<string | undefined> {
    const answer = await this.#type(options);
    return answer === BACK ? undefined : answer;
  }

  inputStep(options: vscode.InputBoxOptions & Step): Promise<string | typeof BACK | undefined> {
    return this.#type(options);
  }

  async pick<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: vscode.QuickPickOptions,
  ): Promise<Choice | undefined> {
    const list = await choices;
    await this.#opened('pick')?.();
    const answer = this.#take(list, options);
    return answer === BACK ? undefined : answer;
  }

  /** Answered as a list, by `pick`: a label, or else the text that is typed. */
  async pickOrType<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: vscode.QuickPickOptions,
  ): Promise<Choice | string | undefined> {
    const list = await choices;
    const answer = this.#ask('pick', options.title ?? options.placeHolder ?? '', labelsOf(list), options.placeHolder);
    if (typeof answer !== 'string') return undefined;
    return named(list, answer) ?? answer;
  }

  /** `input` answers what is typed; once nothing more is coming, `pick` answers which row. */
  async live<Choice extends vscode.QuickPickItem>(live: Live<Choice>): Promise<Choice | undefined> {
    const typed = this.#ask('input', live.title, [], live.placeHolder);
    if (typeof typed !== 'string') return undefined;
    live.typed('', () => undefined);
    const { choices } = await new Promise<LiveList<Choice>>((resolve) => {
      live.typed(typed, (list) => {
        if (!list.busy) resolve(list);
      });
    });
    const chosen = this.#take(choices, { title: live.title });
    live.closed();
    return chosen === BACK ? undefined : chosen;
  }

  /** Answered as an input box, by a path, or an address with a scheme. */
  saveAs(options: vscode.SaveDialogOptions): Promise<vscode.Uri | undefined> {
    const answer = this.#ask('input', options.title ?? 'Save', [], options.defaultUri?.path);
    const [, scheme = 'file', path = ''] =
      typeof answer === 'string' ? (/^(?:([\w-]{2,}):)?(.*)$/.exec(answer) ?? []) : [];
    return Promise.resolve(path === '' ? undefined : options.defaultUri?.with({ scheme, path }));
  }

  async pickStep<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[],
    options: vscode.QuickPickOptions & Step,
  ): Promise<Choice | typeof BACK | undefined> {
    await this.#opened('pick')?.();
    return this.#take(choices, options);
  }

  progress<T>(title: string, work: (signal: AbortSignal, say: (step: string) => void) => Promise<T>): Promise<T> {
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
    return this.#tell('info', message, buttons);
  }
  warn(message: string, ...buttons: string[]): Promise<string | undefined> {
    return this.#tell('warn', message, buttons);
  }
  error(message: string, ...buttons: string[]): Promise<string | undefined> {
    return this.#tell('error', message, buttons);
  }

  browse(url: string): Promise<void> {
    this.#record({ kind: 'browse', text: url, choices: [] });
    return Promise.resolve();
  }

  #opened(kind: 'confirm' | 'input' | 'pick'): (() => Promise<unknown>) | undefined {
    const index = this.#meanwhile.findIndex((laid) => laid.kind === kind);
    return index < 0 ? undefined : this.#meanwhile.splice(index, 1)[0]?.work;
  }

  #tell(kind: 'info' | 'warn' | 'error', message: string, buttons: readonly string[]): Promise<string | undefined> {
    const answer = this.#ask(kind, message, buttons);
    return Promise.resolve(typeof answer === 'string' ? answer : undefined);
  }

  /** What a person types; text that the box refuses is recorded as `invalid`, and the next answer is tried. */
  async #type(options: vscode.InputBoxOptions): Promise<string | typeof BACK | undefined> {
    for (;;) {
      await this.#opened('input')?.();
      const answer = this.#ask('input', options.title ?? options.prompt ?? '', [], options.prompt);
      if (typeof answer !== 'string') return answer === BACK ? BACK : undefined;
      const problem = await options.validateInput?.(answer);
      const text = typeof problem === 'string' ? problem : problem?.message;
      if (text === undefined || text === '') return answer;
      this.#record({ kind: 'invalid', text, choices: [] });
    }
  }

  #take<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[],
    options: vscode.QuickPickOptions,
  ): Choice | typeof BACK | undefined {
    const labels = labelsOf(choices);
    const answer = this.#ask('pick', options.title ?? options.placeHolder ?? '', labels, options.placeHolder);
    if (typeof answer !== 'string') return answer === BACK ? BACK : undefined;
    const found = named(choices, answer);
    if (found === undefined) throw new Error(`no choice is named ${answer}: ${labels.join(', ')}`);
    return found;
  }

  #ask(
    kind: Asked,
    text: string,
    choices: readonly string[],
    detail?: string,
  ): boolean | string | typeof BACK | undefined {
    const said: Said = { kind, text, choices, ...(detail !== undefined && { detail }) };
    this.#record(said);
    const index = this.#answers.findIndex((laid) => laid.kind === kind);
    if (index < 0) return undefined;
    const [laid] = this.#answers.splice(index, 1);
    const answer = laid?.answer;
    return typeof answer === 'function' ? answer(said) : answer;
  }

  #record(said: Said): void {
    this.all.push(said);
  }
}

function labelsOf(choices: readonly vscode.QuickPickItem[]): string[] {
  return choices.map(({ label, description }) => (description === undefined ? label : `${label} ${description}`));
}

function named<Choice extends vscode.QuickPickItem>(choices: readonly Choice[], text: string): Choice | undefined {
  const exact = choices.find(({ label }) => label === text);
  return exact ?? choices.find((choice) => labelsOf([choice])[0]?.includes(text));
}

export class TestLog implements Log {
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

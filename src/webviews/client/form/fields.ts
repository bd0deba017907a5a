/** The fields of the form. Each keeps its elements, and with them the focus and the cursor, while its type is the same. */
import * as l10n from '@vscode/l10n';
import { createButton } from '../controls.ts';
import { formatCode, h, replaceChildren, setText } from '../dom.ts';
import { TEXT_TYPES, type FieldType, type FormField, type FormMessage } from '../../protocol/form.ts';

/** Milliseconds after the last key until a text is entered into the file. */
const ENTER_DELAY = 200;

interface FieldActions {
  /** enters a text into the file; returns the number of the edit */
  enter(path: readonly string[], value: string): number;
  remove(path: readonly string[]): void;
  pick(path: readonly string[]): void;
  /** the user left the field */
  onLeave(): void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field with its label, control and messages. */
export class FieldView {
  readonly element: HTMLElement;
  readonly #control: Control;
  readonly #label = h('span');
  readonly #mark = h('span', { class: 'mark', 'aria-hidden': 'true' }, '*');
  readonly #about = h('p', { class: 'muted' });
  readonly #hint = h('p', { class: 'hint' });
  readonly #messages = h('div', { class: 'messages' });
  readonly #pick: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;
  readonly #actions: FieldActions;
  readonly #type: FieldType;
  #field: FormField;
  /** number of the last edit of this field */
  #edit = 0;
  #timer = 0;
  #isLeft = false;

  constructor(field: FormField, id: string, actions: FieldActions) {
    this.#field = field;
    this.#type = field.type;
    this.#actions = actions;
    this.#control = createControl(field);
    this.#control.id = id;
    this.#about.id = `${id}-about`;
    this.#hint.id = `${id}-hint`;
    this.#messages.id = `${id}-messages`;
    this.#control.setAttribute(
      'aria-describedby',
      [this.#messages, this.#hint, this.#about].map((one) => one.id).join(' '),
    );
    this.#control.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.enter(), ENTER_DELAY);
    });
    this.#control.addEventListener('blur', () => {
      this.enter();
      this.#isLeft = true;
      actions.onLeave();
    });
    const pick = (): void => actions.pick(this.#field.path);
    this.#pick = createButton({ class: 'secondary', onClick: pick }, l10n.t('Select…'));
    const remove = (): void => {
      actions.remove(this.#field.path);
      this.focus();
    };
    this.#remove = createButton({ class: 'secondary', onClick: remove }, l10n.t('Leave Out'));
    this.element = h(
      'div',
      { class: 'field' },
      h('label', { for: id }, this.#label, this.#mark),
      h('div', { class: 'control' }, this.#control, this.#pick, this.#remove),
      this.#messages,
      this.#hint,
      this.#about,
    );
  }

  get field(): FormField {
    return this.#field;
  }

  /** True if the control can show the field. A typed text may begin as a date does, or lose its line breaks: its control stays. */
  fits({ type }: FormField): boolean {
    if (type === this.#type || this.#edit === 0) return type === this.#type;
    return TEXT_TYPES.has(type) && (this.#type === 'lines' || (this.#type === 'text' && type !== 'lines'));
  }

  focus(): void {
    this.#control.focus();
  }

  /** Enters what was typed and is not entered yet. */
  enter(): void {
    if (this.#timer === 0) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    const value = readControl(this.#control, this.#type);
    if (value !== undefined) this.#edit = this.#actions.enter(this.#field.path, value);
  }

  /** The messages that are shown: a missing value is no problem before the user has left the field, or chose Run. */
  getMessages(showsMissing: boolean): readonly FormMessage[] {
    return this.#field.messages.filter(({ isMissing }) => !isMissing || this.#isLeft || showsMissing);
  }

  /** `edit`: the last edit that the field contains. What is typed since is not overwritten. */
  update(field: FormField, edit: number, showsMissing: boolean): void {
    this.#field = field;
    setText(this.#label, this.#type === 'datetime' ? l10n.t('{0} (UTC)', field.label) : field.label);
    this.#mark.hidden = !field.required;
    replaceChildren(this.#about, ...formatCode(field.about));
    setText(this.#hint, field.hint);
    if (this.#timer === 0 && this.#edit <= edit) writeControl(this.#control, this.#type, field);
    const messages = this.getMessages(showsMissing);
    replaceChildren(
      this.#messages,
      ...messages.map(({ severity, text }) =>
        h('p', { class: severity }, ...formatCode(`${SEVERITY_LABELS[severity]} ${text}`)),
      ),
    );
    this.#control.setAttribute('aria-invalid', String(messages.some(({ severity }) => severity === 'error')));
    this.#control.setAttribute('aria-required', String(field.required));
    this.#pick.hidden = !field.canPick || field.isLocked;
    this.#pick.setAttribute('aria-label', l10n.t('Select {0}…', field.label));
    this.#remove.hidden = !field.canRemove;
    this.#remove.setAttribute('aria-label', l10n.t('Leave Out {0}', field.label));
  }
}

const SEVERITY_LABELS = {
  error: l10n.t('Error:'),
  warning: l10n.t('Warning:'),
  information: l10n.t('Note:'),
} as const;

function createControl({ type }: FormField): Control {
  switch (type) {
    case 'boolean':
      return h('select', {}, ...['', 'true', 'false'].map((value) => h('option', { value }, value)));
    case 'json':
    case 'lines':
      return h('textarea', { rows: 4, spellcheck: 'false' });
    case 'date':
      return h('input', { type: 'date' });
    case 'datetime':
      return h('input', { type: 'datetime-local', step: '0.001' });
    case 'number':
      return h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false' });
    case 'text':
      return h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  }
}

/** The entered value; `undefined` while a date is incomplete. */
function readControl(control: Control, type: FieldType): string | undefined {
  const { value } = control;
  if (value === '' && control.validity.badInput) return undefined;
  if (type !== 'datetime' || value === '') return value;
  return `${value.length === 16 ? `${value}:00` : value}Z`;
}

function writeControl(control: Control, type: FieldType, { value, isLocked, isSet }: FormField): void {
  const text = type === 'datetime' ? value.replace(/Z$/, '') : value;
  // Setting it anew would move the cursor.
  if (control.value !== text && readControl(control, type) !== value) control.value = text;
  if (control instanceof HTMLSelectElement) {
    control.disabled = isLocked;
    const [none] = control.options;
    if (none !== undefined) none.label = isSet ? '' : l10n.t('(not set)');
  } else control.readOnly = isLocked;
}

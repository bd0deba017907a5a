/** The form of an action file in the browser. */
import '../display-language.ts';
import './main.css';
import * as l10n from '@vscode/l10n';
import { formProtocol, type FormField, type FormGroup, type FormState } from '../../protocol/form.ts';
import { createButton, createSelect } from '../controls.ts';
import { formatCode, getFocusedElement, getRoot, h, replaceChildren, setText, update } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { renderSections } from '../preview-text.ts';
import { FieldView } from './fields.ts';

let state: FormState | undefined;
let lastEdit = 0;
/** Run was chosen although values are missing */
let showsMissing = false;
let layout = '';
let nextId = 1;
const fields = new Map<string, FieldView>();

const view = connectToHost(formProtocol, {
  state(next) {
    const isFirst = state === undefined;
    state = next;
    lastEdit = Math.max(lastEdit, next.edit);
    render();
    if (isFirst) focusFirst();
  },
  preview: ({ text }) => replaceChildren(preview, ...renderSections(text)),
  focus({ path }) {
    const target = path === undefined ? run : fields.get(JSON.stringify(path));
    const focus = (): void => {
      target?.focus();
      // As with Tab: what is typed replaces the value that a new field starts with.
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
    };
    if (document.hasFocus()) focus();
    // The frame around the page has the focus before the page.
    else addEventListener('focus', focus, { once: true });
  },
});

const title = h('h1');
const summary = h('p', { class: 'muted' });
const problem = h('div', { class: 'notice', role: 'alert' });
problem.dataset['tone'] = 'error';
const errorList = h('ul');
const errors = h(
  'section',
  { class: 'notice errors', tabindex: -1, 'aria-labelledby': 'errors-title' },
  h('h2', { id: 'errors-title' }, l10n.t('Correct these fields before you run the action')),
  errorList,
);
errors.dataset['tone'] = 'error';
errors.hidden = true;
const kind = h('div', { class: 'field' });
const content = h('div', { class: 'fields' });
const messages = h('div', { class: 'messages' });
const reason = h('p', { class: 'muted', id: 'reason', tabindex: -1 });
const run = h('button', { type: 'button', class: 'primary', 'aria-describedby': 'reason', on: { click: start } });
const cancel = createButton({ class: 'secondary', onClick: () => view.post('cancel', {}) }, l10n.t('Cancel'));
const outcome = h('div', { class: 'notice outcome' });
const outcomeText = h('span', { role: 'status' });
const outcomeLinks = h('span', { class: 'links' });
outcome.append(outcomeText, outcomeLinks, cancel);
const preview = h('div', { class: 'preview' });
getRoot().append(
  h('header', {}, title, summary),
  problem,
  errors,
  kind,
  content,
  messages,
  h(
    'div',
    { class: 'actions' },
    run,
    createButton({ class: 'secondary', onClick: () => postAfterEntering('showFile') }, l10n.t('Show as File')),
    createButton({ class: 'secondary', onClick: () => postAfterEntering('save') }, l10n.t('Save as Action File…')),
    reason,
  ),
  outcome,
  h('section', { 'aria-labelledby': 'preview-title' }, h('h2', { id: 'preview-title' }, l10n.t('Preview')), preview),
);
addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  start();
});

function enterAll(): void {
  for (const field of fields.values()) field.enter();
}

function postAfterEntering(type: 'showFile' | 'save'): void {
  enterAll();
  view.post(type, {});
}

/** Runs the action, or says what keeps it from running. */
function start(): void {
  enterAll();
  if (state === undefined) return;
  if (state.blocked === '') {
    showsMissing = false;
    errors.hidden = true;
    view.post('run', {});
    return;
  }
  showsMissing = true;
  render();
  (errors.hidden ? reason : errors).focus();
}

function render(): void {
  if (state === undefined) return;
  setText(title, state.title);
  setText(summary, state.summary);
  replaceChildren(problem, ...formatCode(state.problem));
  problem.hidden = state.problem === '';
  renderKind(state);
  renderFields(state);
  replaceChildren(
    messages,
    ...state.messages.map(({ severity, text }) => h('p', { class: severity }, ...formatCode(text))),
  );
  setText(run, state.runLabel);
  run.setAttribute('aria-disabled', String(state.blocked !== ''));
  replaceChildren(reason, ...formatCode(state.blocked));
  renderErrors();
  renderOutcome(state);
}

function renderKind({ kind: value, kinds, problem: cannotShow }: FormState): void {
  kind.hidden = cannotShow !== '';
  update(kind, [value, kinds], () => {
    const select = createSelect({
      label: l10n.t('Action'),
      choices: kinds,
      value,
      onSelect: (chosen) => {
        enterAll();
        view.post('setKind', { kind: chosen, edit: ++lastEdit });
      },
    });
    select.id = 'kind';
    select.removeAttribute('aria-label');
    return [h('label', { for: 'kind' }, l10n.t('Action')), h('div', { class: 'control' }, select)];
  });
}

function renderFields({ groups, edit }: FormState): void {
  const all = groups.flatMap((group) => group.fields);
  const keys = new Set(all.map(({ path }) => JSON.stringify(path)));
  for (const key of fields.keys()) if (!keys.has(key)) fields.delete(key);
  const focused = [...fields].find(([, { element }]) => element.contains(getFocusedElement() ?? null))?.[0];
  let isNew = false;
  for (const field of all) {
    const key = JSON.stringify(field.path);
    let fieldView = fields.get(key);
    if (fieldView?.fits(field) !== true) {
      fieldView = createField(field);
      fields.set(key, fieldView);
      isNew = true;
    }
    fieldView.update(field, edit, showsMissing);
  }
  const now = JSON.stringify(
    groups.map(({ title: name, path, fields: members }) => [name, path, members.map((one) => one.path)]),
  );
  if (!isNew && now === layout) return;
  layout = now;
  replaceChildren(content, ...groups.map(createGroup));
  if (focused !== undefined) fields.get(focused)?.focus();
}

function createField(field: FormField): FieldView {
  return new FieldView(field, `field-${String(nextId++)}`, {
    enter: (path, value) => {
      view.post('setField', { path: [...path], type: field.type, value, edit: ++lastEdit });
      return lastEdit;
    },
    remove: (path) => view.post('removeField', { path: [...path], edit: ++lastEdit }),
    pick: (path) => {
      enterAll();
      view.post('pick', { path: [...path] });
    },
    onLeave: render,
  });
}

function createGroup({ title: name, path, fields: members }: FormGroup): HTMLElement {
  const addField = (): void => {
    enterAll();
    if (path !== undefined) view.post('addField', { path });
  };
  const elements = members.map((field) => fields.get(JSON.stringify(field.path))?.element);
  if (name === '') return h('div', { class: 'group-fields' }, ...elements);
  return h(
    'fieldset',
    {},
    h('legend', {}, name),
    ...elements,
    path !== undefined && createButton({ class: 'secondary', onClick: addField }, l10n.t('Add Field…')),
  );
}

function renderErrors(): void {
  const wrong = [...fields.values()].flatMap((field) =>
    field
      .getMessages(showsMissing)
      .filter(({ severity }) => severity === 'error')
      .map(({ text }) => ({ field, text })),
  );
  errors.hidden = !showsMissing || wrong.length === 0;
  replaceChildren(
    errorList,
    ...wrong.map(({ field, text }) =>
      h(
        'li',
        {},
        createButton({ class: 'link', onClick: () => field.focus() }, ...formatCode(`${field.field.label}: ${text}`)),
      ),
    ),
  );
}

function renderOutcome({ run: shown }: FormState): void {
  outcome.hidden = shown === undefined;
  if (shown === undefined) return;
  outcome.dataset['tone'] = shown.tone;
  setText(outcomeText, shown.text);
  cancel.hidden = !shown.isActive;
  update(outcomeLinks, shown.links, () =>
    shown.links.map(({ link, label }) => {
      const onClick = (): void => view.post('openLink', { link });
      return createButton({ class: 'link', onClick }, ...formatCode(label));
    }),
  );
}

/** The first required value that is missing, else the first field. Takes no focus from the workbench. */
function focusFirst(): void {
  if (!document.hasFocus()) {
    addEventListener('focus', focusFirst, { once: true });
    return;
  }
  const all = [...fields.values()];
  const missing = all.find(({ field }) => field.messages.some(({ isMissing }) => isMissing));
  (missing ?? all[0])?.focus();
}

/** The page of a resource in the browser. */
import '../display-language.ts';
import * as l10n from '@vscode/l10n';
import './main.css';
import { pageProtocol, storedViewSchema, type PageState } from '../../protocol/page.ts';
import { createButton, createNotice } from '../controls.ts';
import { getFocusedElement, getRoot, h, setText, update, type Child } from '../dom.ts';
import { FrameList } from '../faces/frames.ts';
import { ScriptReports } from '../faces/script-reports.ts';
import { connectToHost } from '../host-connection.ts';
import { renderHistory } from './history.ts';
import { getSearchText, parseSearch } from '../logs/table/search.ts';
import { Table } from '../logs/table/table.ts';
import { renderGroup } from './fields.ts';
import { renderBar, renderCard, renderNotice } from './header.ts';
import { TimeMachine } from './time-machine.ts';
import { renderChart, renderList, renderListNote, renderShowAll } from './lists.ts';

const view = connectToHost(pageProtocol, {
  state(next) {
    const isOther = next.key !== state?.key;
    if (isOther) timeMachine = new TimeMachine(view.post);
    state = next;
    render(next);
    restoreFocus();
    // A page that replaces another starts at its top.
    if (isOther && scroll === undefined) scroller.scrollTop = 0;
    if (!next.busy && next.face?.busy !== true && scroll !== undefined) {
      scroller.scrollTop = scroll;
      scroll = undefined;
    }
    persistState();
  },
  ping() {
    view.post('alive', { loaded: frames.isLoaded });
  },
});

let state: PageState | undefined;
const stored = view.getState(storedViewSchema) ?? storedViewSchema.parse({});
const closed = new Set(stored.closed);
/** of the last window, until the content is there */
let scroll: number | undefined = stored.scroll;
/** before the page was loaded anew, for a face with other sources, until it is there or the user moves on */
let focused: string | undefined = stored.focused;

const bar = h('div', { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('Page') });
const notice = h('div', { role: 'status' });
const announcement = h('div', { class: 'visually-hidden', role: 'status' });
const card = h('header', { class: 'card' });
const tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': l10n.t('Views') });
const approvals = h('div');
const faceNote = h('p', { class: 'muted' });
const frameContainer = h('div', { id: 'frames' });
const face = h('section', { class: 'face', 'aria-label': l10n.t('Face') }, approvals, faceNote, frameContainer);
const content = h('div', { class: 'content' });
const logs = h('section', { class: 'logs', 'aria-label': l10n.t('Action Logs') });
const panel = h('div', { class: 'panel', role: 'tabpanel', id: 'panel' }, face, content, logs);
const scroller = h('div', { class: 'scroller' }, card, tabs, panel);
getRoot().append(bar, notice, announcement, scroller);

const frames = new FrameList(frameContainer, new ScriptReports(() => undefined), view.post);
const openLog = (id: string): void => view.post('open', { kind: 'action-logs', id, beside: false });
const logsLead = h('div', { class: 'lead' });
const table = new Table({
  select(row, focusDetails) {
    table.select(row?.key);
    if (row !== undefined && focusDetails) openLog(row.id);
  },
  copy({ id }) {
    view.post('copy', { text: id });
  },
  nearEnd: () => undefined,
  scrolled: () => undefined,
});
logs.append(logsLead, table.element);
let timeMachine = new TimeMachine(view.post);

function render(current: PageState): void {
  getRoot().dataset['vscodeContext'] = JSON.stringify({ connection: current.connection });
  const { title, kind, heading, busy, tab, facts, picture, status, description, chart, groups, list, history } =
    current;
  const { freshness, canGoBack, isPreview, hasJson, actions, commands } = current;
  update(bar, [canGoBack, isPreview, kind, heading, freshness, busy, hasJson, tab], () =>
    renderBar(current, view.post),
  );
  update(notice, current.notice, () => [renderNotice(current, view.post)]);
  update(card, [title, picture, status, description, facts, actions, commands], () => renderCard(current, view.post));
  update(tabs, current.tabs, () => renderTabs(current));
  // The same buttons: the focus stays.
  for (const button of tabs.querySelectorAll('button')) {
    const isSelected = button.dataset['name'] === `tab ${tab}`;
    button.setAttribute('aria-selected', String(isSelected));
    button.tabIndex = isSelected ? 0 : -1;
  }
  tabs.hidden = current.tabs.length < 2;
  panel.setAttribute('aria-labelledby', `tab-${String(current.tabs.findIndex(({ key }) => key === tab))}`);
  renderFace(current.face);
  const { timeMachine: known } = current;
  update(content, [current.key, chart, groups, list, history, known], () => [
    ...(history === undefined ? [] : renderStates(history, known)),
    chart !== undefined && renderChart(chart),
    list !== undefined && renderList(list, view.post),
    ...groups.map((group) =>
      renderGroup(group, !closed.has(group.title), (isOpen) => toggle(group.title, isOpen), view.post),
    ),
  ]);
  renderLogs(current);
  const { verdict = '' } = history ?? {};
  const result = verdict === '' ? l10n.t('{0} is loaded.', title) : verdict;
  setText(announcement, busy || history?.busy === true ? l10n.t('Loading…') : result);
}

function toggle(title: string, isOpen: boolean): void {
  if (isOpen) closed.delete(title);
  else closed.add(title);
  persistState();
}

function renderTabs({ tabs: all }: PageState): readonly Child[] {
  return all.map(({ key, label }, index) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${String(index)}`,
        'data-name': `tab ${key}`,
        'aria-controls': 'panel',
        on: {
          click: () => view.post('tab', { tab: key }),
        },
      },
      label,
    ),
  );
}

tabs.addEventListener('keydown', (event) => {
  const all = [...tabs.querySelectorAll('button')];
  const at = all.findIndex((button) => button === event.target);
  const targets: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 };
  const target = targets[event.key];
  if (at < 0 || target === undefined) return;
  event.preventDefault();
  const button = all.at(target % all.length);
  button?.focus();
  button?.click();
});

/** A hidden tab keeps its frames: they are not rendered again when it is shown. */
function renderFace(current: PageState['face']): void {
  face.hidden = current === undefined;
  if (current === undefined) return;
  const { busy, note, approvalRequests } = current;
  update(approvals, approvalRequests, () =>
    approvalRequests.map(({ id, text, button }) => {
      const onClick = (): void => view.post('allow', { id });
      return createNotice({ text }, createButton({ class: 'secondary', name: `allow ${id}`, onClick }, button));
    }),
  );
  const isWaiting = busy && current.frames.length === 0;
  setText(faceNote, note ?? (isWaiting ? l10n.t('Loading…') : ''));
  if (isWaiting) return;
  frames.render(
    { frames: current.frames, scripts: false, loading: busy },
    { size: 'free', background: 'light', zoom: 1, height: 420, scroll: 0 },
  );
}

/** The history, below the time machine if states are known. */
function renderStates(history: NonNullable<PageState['history']>, known: PageState['timeMachine']): readonly Child[] {
  if (known !== undefined) timeMachine.render(known, history.steps);
  return [known !== undefined && timeMachine.element, ...renderSteps(history)];
}

function renderSteps(history: NonNullable<PageState['history']>): readonly Child[] {
  return renderHistory(history, {
    select: (key) => {
      const step = history.steps.find((candidate) => candidate.key === key);
      if (step !== undefined) openLog(step.id);
    },
    diff: (key) => view.post('diff', { key }),
  });
}

function renderLogs({ logs: current, tab }: PageState): void {
  logs.hidden = current === undefined;
  if (current === undefined) return;
  update(logsLead, [current.note, current.busy, tab], () => [renderListNote(current), renderShowAll(tab, view.post)]);
  table.element.hidden = current.rows.length === 0;
  const rows = current.rows.map((row) => ({ ...row, row, searchText: getSearchText(row) }));
  table.show(rows, parseSearch(''), false);
}

function persistState(): void {
  const name = focused ?? getFocusedElement()?.dataset['name'];
  view.setState({ scroll: scroll ?? scroller.scrollTop, closed: [...closed], focused: name, stored: state?.stored });
}

/** Focuses the control that had the focus, but never takes it from the workbench. */
function restoreFocus(): void {
  if (focused === undefined || !document.hasFocus()) return;
  getRoot()
    .querySelector<HTMLElement>(`[data-name="${CSS.escape(focused)}"]`)
    ?.focus();
}

document.addEventListener('focusin', () => {
  focused = undefined;
  persistState();
});

let scrollTimer: ReturnType<typeof setTimeout> | undefined;
scroller.addEventListener('scroll', () => {
  clearTimeout(scrollTimer);
  scrollTimer = setTimeout(persistState, 200);
});

/** The face preview in the browser. */
import '../display-language.ts';
import * as l10n from '@vscode/l10n';
import { pluralize } from '../../../platform/text/localization.ts';
import './main.css';
import { facesProtocol, storedViewStateSchema, type FaceState, type DisplayOptions } from '../../protocol/faces.ts';
import { createButton, createNotice } from '../controls.ts';
import { getRoot, h, replaceControls, setText, update, type Child } from '../dom.ts';
import { connectToHost } from '../host-connection.ts';
import { createToolbar } from './toolbar.ts';
import { updateDetails } from './details.ts';
import { FrameList } from './frames.ts';
import { ScriptReports } from './script-reports.ts';

const view = connectToHost(facesProtocol, {
  state(next) {
    state = next;
    render();
    persistState();
  },
  ping() {
    view.post('alive', { loaded: frameList.isLoaded });
  },
});

let state: FaceState | undefined;
let display: DisplayOptions = view.getState(storedViewStateSchema)?.look ?? {
  size: 'free',
  background: 'light',
  zoom: 1,
  height: 600,
  scroll: 0,
};

const header = h('header');
const notices = h('div', { id: 'notices', role: 'status' });
const announcement = h('div', { class: 'visually-hidden', role: 'status' });
const objects = h('div', { id: 'objects' });
const frameContainer = h('section', { id: 'frames', tabindex: 0, 'aria-label': l10n.t('Preview') });
const detailsElement = h('section', { id: 'details', 'aria-label': l10n.t('Details') });
getRoot().append(header, notices, announcement, objects, frameContainer, detailsElement);

const reports = new ScriptReports(() => renderDetails());
const frameList = new FrameList(frameContainer, reports, view.post);
let scrollRestored = false;

function setDisplayOptions(change: Partial<DisplayOptions>): void {
  display = { ...display, ...change };
  render();
  persistState();
}

function render(): void {
  const current = state;
  if (current === undefined) return;
  const parts = createToolbar(current, display, { post: view.post, setDisplayOptions });
  replaceControls(header, () => parts.header);
  replaceControls(objects, () => parts.objects);
  const { error, scripts, approvalRequests } = current;
  update(notices, [error, scripts, approvalRequests], () => createNotices(current));
  setText(announcement, formatAnnouncement(current));
  frameList.render(current, display);
  if (!scrollRestored && current.frames.length > 0) {
    scrollRestored = true;
    frameContainer.scrollTop = display.scroll;
  }
  renderDetails();
}

/** Formats the outcome of loading for screen readers, to which the frames are silent. */
function formatAnnouncement({ loading, frames, problems, omittedProblems }: FaceState): string {
  if (loading) return l10n.t('Loading…');
  const messages = frames.flatMap(({ type, note }) => (type === 'empty' && note !== undefined ? [note] : []));
  const count = problems.length + omittedProblems;
  const findings = count === 0 ? [] : [pluralize(count, l10n.t('{0} problem found.|{0} problems found.'))];
  return [l10n.t('Preview updated.'), ...messages, ...findings].join(' ');
}

function createNotices({ error, scripts, approvalRequests }: FaceState): readonly Child[] {
  return [
    error !== undefined && createNotice({ text: error, tone: 'error', role: 'alert' }),
    scripts &&
      createNotice({
        text: l10n.t(
          'Scripts of this face are running in an isolated frame. Requests are blocked, but scripts can make the browser look up hosts or connect to them. If you do not trust the face, turn off scripts.',
        ),
        tone: 'warning',
      }),
    ...approvalRequests.map(({ id, text, button }) => {
      const onClick = (): void => view.post('allow', { id });
      return createNotice({ text }, createButton({ class: 'secondary', name: `allow ${id}`, onClick }, button));
    }),
  ];
}

function renderDetails(): void {
  if (state !== undefined) updateDetails(detailsElement, state, reports, view.post);
}

function persistState(): void {
  view.setState({ look: display, keep: state?.preview });
}

let scrollTimer: ReturnType<typeof setTimeout> | undefined;
frameContainer.addEventListener('scroll', () => {
  clearTimeout(scrollTimer);
  scrollTimer = setTimeout(() => {
    display = { ...display, scroll: frameContainer.scrollTop };
    persistState();
  }, 200);
});

/** The face preview in the browser: frames that nothing leaves, around them only text of ours and text of theirs as text. */
import '@vscode-elements/elements/dist/vscode-button/index.js';
import './main.css';
import { facesProtocol, kept, type FaceState, type Look } from '../../protocol-faces.ts';
import { connect, fill, h, root } from '../kit.ts';
import { bar, type BarActions } from './bar.ts';
import { details } from './details.ts';
import { Stage } from './stage.ts';
import { Reports } from './reports.ts';

const view = connect(facesProtocol, {
  state(next) {
    state = next;
    render();
    keep();
  },
});

let state: FaceState | undefined;
let look: Look = view.getState(kept)?.look ?? { size: 'free', background: 'light', zoom: 1, height: 600, scroll: 0 };

const header = h('header');
const notices = h('div', { id: 'notices', role: 'status' });
const objects = h('div', { id: 'objects' });
const scroller = h('main', { id: 'stage', tabindex: 0, 'aria-label': 'Preview' });
const below = h('section', { id: 'details', 'aria-label': 'Details' });
root().append(header, notices, objects, scroller, below);

const reports = new Reports(() => {
  renderDetails();
});
const stage = new Stage(scroller, reports, {
  openBrowser(key) {
    view.post('openBrowser', { key });
  },
  showAnyway(key) {
    view.post('showAnyway', { key });
  },
});
let restored = false;

const actions: BarActions = {
  look(change) {
    look = { ...look, ...change };
    render();
    keep();
  },
  variant(key) {
    view.post('variant', { key });
  },
  run(what) {
    view.post(what, {});
  },
  removeObject(key) {
    view.post('removeObject', { key });
  },
};

/** Controls are made anew: the one that had the focus gets it back. */
function keepingFocus(work: () => void): void {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['name'] : undefined;
  work();
  if (focused !== undefined)
    root()
      .querySelector<HTMLElement>(`[data-name="${CSS.escape(focused)}"]`)
      ?.focus();
}

function render(): void {
  const now = state;
  if (now === undefined) return;
  keepingFocus(() => {
    const parts = bar(now, look, actions);
    fill(header, ...parts.header);
    fill(objects, ...parts.objects);
    fill(notices, ...noticesOf(now));
  });
  stage.show(now, look);
  if (!restored && now.frames.length > 0) {
    restored = true;
    scroller.scrollTop = look.scroll;
  }
  renderDetails();
}

function noticesOf(now: FaceState): HTMLElement[] {
  const trouble =
    now.trouble === undefined ? [] : [h('div', { class: 'notice', 'data-tone': 'error', role: 'alert' }, now.trouble)];
  const scripts = now.scripts
    ? [
        h(
          'div',
          { class: 'notice', 'data-tone': 'warning' },
          'Scripts of this face run here, in a frame without origin. Its requests are blocked as far as the browser can: trust the face, or turn scripts off.',
        ),
      ]
    : [];
  const asks = now.asks.map(({ id, text, button }) =>
    h(
      'div',
      { class: 'notice' },
      h('span', {}, text),
      h(
        'vscode-button',
        {
          secondary: true,
          'data-name': `allow ${id}`,
          on: {
            click: () => {
              view.post('allow', { id });
            },
          },
        },
        button,
      ),
    ),
  );
  return [...trouble, ...scripts, ...asks];
}

function renderDetails(): void {
  const now = state;
  if (now === undefined) return;
  keepingFocus(() => {
    details(below, now, reports, {
      goTo(line, column) {
        view.post('goTo', { line, column });
      },
      openLink(key) {
        view.post('openLink', { key });
      },
      forget(key) {
        view.post('forget', { key });
      },
    });
  });
}

function keep(): void {
  view.setState({ look, keep: state?.keep });
}

let settling: ReturnType<typeof setTimeout> | undefined;
scroller.addEventListener('scroll', () => {
  clearTimeout(settling);
  settling = setTimeout(() => {
    look = { ...look, scroll: scroller.scrollTop };
    keep();
  }, 200);
});

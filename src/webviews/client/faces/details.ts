/** What there is to say below the frames: what was blocked, what stayed open, config, assets, what is allowed, the console. */
import { fill, h } from '../kit.ts';
import { toolButton } from '../controls.ts';
import type { FaceProblem, FaceState } from '../../protocol-faces.ts';
import type { Reports } from './reports.ts';

export interface DetailActions {
  goTo(line: number, column: number): void;
  openLink(key: string): void;
  forget(key: string): void;
}

// Which sections a person has opened or closed, by name.
const opened = new Map<string, boolean>();
let drawn = '';

export function details(element: Element, state: FaceState, reports: Reports, actions: DetailActions): void {
  const { problems, moreProblems, unsupported, links, config, assets, allowed, places } = state;
  const now = JSON.stringify([
    problems,
    moreProblems,
    unsupported,
    links,
    config,
    assets,
    allowed,
    places,
    reports.list,
    state.scripts,
  ]);
  if (now === drawn) return;
  drawn = now;
  const blocked = problems.filter(({ type }) => type === 'blocked');
  const open = problems.filter(({ type }) => type === 'placeholder');
  const rows = (list: readonly FaceProblem[]): HTMLElement =>
    h('ul', { class: 'findings' }, ...list.map((problem) => row(problem, places, actions)));
  fill(
    element,
    blocked.length > 0 && section('Blocked by the policy', blocked.length, true, rows(blocked)),
    open.length > 0 && section('Placeholders without a value', open.length, false, rows(open)),
    moreProblems > 0 && h('p', { class: 'muted' }, `${String(moreProblems)} more are not listed.`),
    unsupported.length > 0 &&
      section(
        'What placeholders cannot do here',
        undefined,
        false,
        h('ul', {}, ...unsupported.map((text) => h('li', {}, text))),
      ),
    links.length > 0 && section('Links', links.length, false, linksOf(links, actions)),
    state.scripts && section('Console', reports.list.length, true, consoleOf(reports)),
    config !== undefined && section('Config', undefined, false, h('pre', {}, config)),
    assets.length > 0 && section('Assets', assets.length, false, assetsOf(assets)),
    allowed.length > 0 && section('Allowed on this connection', allowed.length, false, allowedOf(allowed, actions)),
  );
}

function section(name: string, count: number | undefined, first: boolean, content: HTMLElement): HTMLElement {
  const element = h(
    'details',
    {
      open: opened.get(name) ?? first,
      on: {
        toggle: () => {
          opened.set(name, element.open);
        },
      },
    },
    h('summary', { 'data-name': `section ${name}` }, name, count !== undefined && h('span', { class: 'count' }, count)),
    content,
  );
  return element;
}

function row({ where, line, column, what, why }: FaceProblem, canGo: boolean, actions: DetailActions): HTMLElement {
  const place = line === undefined ? '' : `${String(line)}:${String(column ?? 1)}`;
  const at =
    canGo && line !== undefined
      ? h(
          'button',
          {
            type: 'button',
            class: 'place',
            title: `Go to line ${String(line)}`,
            on: {
              click: () => {
                actions.goTo(line, column ?? 1);
              },
            },
          },
          place,
        )
      : h('span', { class: 'muted at', title: place === '' ? undefined : `Line ${place}` }, place);
  return h(
    'li',
    {},
    at,
    h('code', {}, what),
    h('span', { class: 'muted' }, why, ...(where === '' ? [] : [' (', h('bdi', {}, where), ')'])),
  );
}

function consoleOf({ list }: Reports): HTMLElement {
  if (list.length === 0) return h('p', { class: 'muted' }, 'Nothing yet.');
  return h(
    'ul',
    {},
    ...list.map(({ from, level, text }) =>
      h('li', { class: `level-${level}` }, h('span', { class: 'muted' }, from), h('code', {}, `${level}: ${text}`)),
    ),
  );
}

function linksOf(links: FaceState['links'], actions: DetailActions): HTMLElement {
  return h(
    'ul',
    {},
    ...links.map(({ key, url, where }) =>
      h(
        'li',
        {},
        h('code', {}, url),
        where !== '' && h('bdi', { class: 'muted' }, where),
        toolButton({
          label: 'Open Link…',
          run: () => {
            actions.openLink(key);
          },
        }),
      ),
    ),
  );
}

function assetsOf(assets: FaceState['assets']): HTMLElement {
  return h(
    'ul',
    {},
    ...assets.map(({ name, type, url, note }) =>
      h(
        'li',
        {},
        h('strong', {}, name),
        h('span', { class: 'muted' }, [type, note].filter((word) => word !== '').join(' · ')),
        h('code', {}, url),
      ),
    ),
  );
}

function allowedOf(allowed: FaceState['allowed'], actions: DetailActions): HTMLElement {
  return h(
    'ul',
    {},
    ...allowed.map(({ key, label }) =>
      h(
        'li',
        {},
        h('span', {}, label),
        toolButton({
          label: 'Forget',
          run: () => {
            actions.forget(key);
          },
        }),
      ),
    ),
  );
}

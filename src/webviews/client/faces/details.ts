/** The sections below the frames: blocked parts, placeholders, links, console, config, assets, approvals. */
import * as l10n from '@vscode/l10n';
import { formatNumber, pluralize } from '../../../platform/text/localization.ts';
import { h, update } from '../dom.ts';
import { createButton, createToolButton } from '../controls.ts';
import type { Post } from '../host-connection.ts';
import type { FaceProblem, FaceState, facesProtocol } from '../../protocol/faces.ts';
import type { ScriptReports } from './script-reports.ts';

type FacesPost = Post<typeof facesProtocol>;

/** What is rendered here; other changes of the state leave the sections as they are. */
const SHOWN = [
  'problems',
  'omittedProblems',
  'unsupportedFeatures',
  'links',
  'config',
  'assets',
  'approvals',
  'hasFilePositions',
  'scripts',
] as const satisfies readonly (keyof FaceState)[];
// Sections that the user has opened or closed, by name.
const sectionStates = new Map<string, boolean>();

/** Renders the sections, if their content has changed. */
export function updateDetails(element: Element, state: FaceState, reports: ScriptReports, post: FacesPost): void {
  const { problems, omittedProblems, unsupportedFeatures, links, config, assets, approvals } = state;
  const blocked = problems.filter(({ type }) => type === 'blocked');
  const unresolved = problems.filter(({ type }) => type === 'placeholder');
  const createRows = (list: readonly FaceProblem[]): HTMLElement =>
    h('ul', { class: 'findings' }, ...list.map((problem) => createProblemRow(problem, state.hasFilePositions, post)));
  update(element, [SHOWN.map((name) => state[name]), reports.list], () => [
    blocked.length > 0 && createSection(l10n.t('Blocked content'), blocked.length, true, createRows(blocked)),
    unresolved.length > 0 &&
      createSection(l10n.t('Unresolved placeholders'), unresolved.length, false, createRows(unresolved)),
    omittedProblems > 0 &&
      h(
        'p',
        { class: 'muted' },
        pluralize(omittedProblems, l10n.t('{0} more problem is not listed.|{0} more problems are not listed.')),
      ),
    unsupportedFeatures.length > 0 &&
      createSection(
        l10n.t('Unsupported template features'),
        undefined,
        false,
        h('ul', {}, ...unsupportedFeatures.map((text) => h('li', {}, text))),
      ),
    links.length > 0 && createSection(l10n.t('Links'), links.length, false, createLinks(links, post)),
    state.scripts && createSection(l10n.t('Console'), reports.list.length, true, createConsole(reports)),
    config !== undefined && createSection(l10n.t('Config'), undefined, false, h('pre', {}, config)),
    assets.length > 0 && createSection(l10n.t('Assets'), assets.length, false, createAssets(assets)),
    approvals.length > 0 &&
      createSection(l10n.t('Permissions'), approvals.length, false, createApprovals(approvals, post)),
  ]);
}

function createSection(
  name: string,
  count: number | undefined,
  initiallyOpen: boolean,
  content: HTMLElement,
): HTMLElement {
  const element = h(
    'details',
    {
      open: sectionStates.get(name) ?? initiallyOpen,
      on: {
        toggle: () => {
          sectionStates.set(name, element.open);
        },
      },
    },
    h(
      'summary',
      { 'data-name': `section ${name}` },
      name,
      count !== undefined && h('span', { class: 'count' }, formatNumber(count)),
    ),
    content,
  );
  return element;
}

function createProblemRow(
  { frameTitle, line, column, snippet, reason }: FaceProblem,
  canReveal: boolean,
  post: FacesPost,
): HTMLElement {
  const position = line === undefined ? '' : `${String(line)}:${String(column ?? 1)}`;
  const positionElement =
    canReveal && line !== undefined
      ? createButton(
          {
            class: 'position',
            title: l10n.t('Go to Line {0}', String(line)),
            onClick: () => post('revealPosition', { line, column: column ?? 1 }),
          },
          position,
        )
      : h('span', { class: 'muted at', title: position === '' ? undefined : l10n.t('Line {0}', position) }, position);
  return h(
    'li',
    {},
    positionElement,
    h('code', {}, snippet),
    h('span', { class: 'muted' }, reason, ...(frameTitle === '' ? [] : [' (', h('bdi', {}, frameTitle), ')'])),
  );
}

function createConsole({ list }: ScriptReports): HTMLElement {
  if (list.length === 0) return h('p', { class: 'muted' }, l10n.t('No messages.'));
  return h(
    'ul',
    {},
    ...list.map(({ frameTitle, level, text }) =>
      h(
        'li',
        { class: `level-${level}` },
        h('span', { class: 'muted' }, frameTitle),
        h('code', {}, `${level}: ${text}`),
      ),
    ),
  );
}

function createLinks(links: FaceState['links'], post: FacesPost): HTMLElement {
  return h(
    'ul',
    {},
    ...links.map(({ key, url, frameTitle }) =>
      h(
        'li',
        {},
        h('code', {}, url),
        frameTitle !== '' && h('bdi', { class: 'muted' }, frameTitle),
        createToolButton({
          label: l10n.t('Open Link…'),
          name: `open ${key}`,
          onClick: () => post('openLink', { key }),
        }),
      ),
    ),
  );
}

function createAssets(assets: FaceState['assets']): HTMLElement {
  return h(
    'ul',
    {},
    ...assets.map(({ name, type, url, note }) =>
      h(
        'li',
        {},
        h('strong', {}, name),
        h('span', { class: 'muted' }, [type, note].filter((part) => part !== '').join(' · ')),
        h('code', {}, url),
      ),
    ),
  );
}

function createApprovals(approvals: FaceState['approvals'], post: FacesPost): HTMLElement {
  return h(
    'ul',
    {},
    ...approvals.map(({ key, label }) =>
      h(
        'li',
        {},
        h('span', {}, label),
        createToolButton({ label: l10n.t('Revoke'), name: `revoke ${key}`, onClick: () => post('revoke', { key }) }),
      ),
    ),
  );
}

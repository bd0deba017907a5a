/** The controls above the frames. */
import * as l10n from '@vscode/l10n';
import { formatPercent } from '../../../platform/text/localization.ts';
import add from '@vscode/codicons/src/icons/add.svg';
import beaker from '@vscode/codicons/src/icons/beaker.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import openString from '@vscode/codicons/src/icons/symbol-string.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import zoomIn from '@vscode/codicons/src/icons/zoom-in.svg';
import zoomOut from '@vscode/codicons/src/icons/zoom-out.svg';
import { createSelect, createToolButton } from '../controls.ts';
import { h, type Child } from '../dom.ts';
import type { Post } from '../host-connection.ts';
import type { FaceState, DisplayOptions, facesProtocol } from '../../protocol/faces.ts';

interface ToolbarActions {
  readonly post: Post<typeof facesProtocol>;
  setDisplayOptions(change: Partial<DisplayOptions>): void;
}

const ZOOMS = [0.25, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4];
const SIZES = [
  { value: 'free', label: l10n.t('Responsive') },
  { value: 'card', label: l10n.t('Card 320 × 448') },
  { value: 'phone', label: l10n.t('Phone 390 × 844') },
  { value: 'wide', label: l10n.t('Wide 1024 × 576') },
] as const;
const BACKGROUNDS = [
  { value: 'theme', label: l10n.t('Editor background') },
  { value: 'light', label: l10n.t('Light background') },
  { value: 'dark', label: l10n.t('Dark background') },
] as const;

/** Creates the header and the row of chosen objects. */
export function createToolbar(
  state: FaceState,
  display: DisplayOptions,
  actions: ToolbarActions,
): { readonly header: Node[]; readonly objects: Child[] } {
  return { header: createHeader(state, display, actions), objects: createObjectChips(state, actions) };
}

function createHeader(state: FaceState, display: DisplayOptions, actions: ToolbarActions): Node[] {
  const createTool = (
    icon: string,
    label: string,
    name: 'refresh' | 'openSource' | 'openLab' | 'compare' | 'copyJsonString' | 'openJsonString',
  ): HTMLElement => createToolButton({ icon, label, name, onClick: () => actions.post(name, {}) });
  const lab = state.lab && state.source === 'file';
  return [
    h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('Face') },
      h(
        'div',
        { class: 'heading' },
        h('h1', { title: state.title }, h('bdi', {}, state.title)),
        h('span', { class: 'muted' }, state.heading),
      ),
      h(
        'span',
        { class: 'group' },
        lab && createTool(diff, l10n.t('Compare with Platform…'), 'compare'),
        lab && createTool(json, l10n.t('Copy as JSON String'), 'copyJsonString'),
        lab && createTool(openString, l10n.t('Open JSON String as HTML…'), 'openJsonString'),
        !lab && state.source !== 'asset' && createTool(beaker, l10n.t('Open Face Lab'), 'openLab'),
        createTool(goToFile, state.source === 'file' ? l10n.t('Show File') : l10n.t('Open as JSON'), 'openSource'),
        createTool(refresh, state.loading ? l10n.t('Refresh (Loading…)') : l10n.t('Refresh'), 'refresh'),
      ),
    ),
    h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('View options') },
      state.variants.length > 1 &&
        createSelect({
          label: l10n.t('Variant'),
          name: 'variant',
          choices: state.variants.map(({ key, label }) => ({ value: key, label })),
          value: state.variant,
          onSelect: (key) => actions.post('selectVariant', { key }),
        }),
      createSelect({
        label: l10n.t('Size'),
        name: 'size',
        choices: SIZES,
        value: display.size,
        onSelect: (size) => actions.setDisplayOptions({ size }),
      }),
      display.size === 'free' && createHeightInput(display, actions),
      createSelect({
        label: l10n.t('Background'),
        name: 'background',
        choices: BACKGROUNDS,
        value: display.background,
        onSelect: (background) => actions.setDisplayOptions({ background }),
      }),
      createZoomGroup(display, actions),
    ),
  ];
}

function createHeightInput(display: DisplayOptions, actions: ToolbarActions): HTMLElement {
  const input = h('input', {
    type: 'number',
    class: 'height',
    min: 80,
    max: 4000,
    step: 20,
    value: display.height,
    title: l10n.t('Maximum height in pixels'),
    'data-name': 'height',
    on: {
      change: ({ target }) => {
        const height = target instanceof HTMLInputElement ? target.valueAsNumber : NaN;
        if (height >= 80 && height <= 4000) actions.setDisplayOptions({ height });
      },
    },
  });
  return h('label', { class: 'height muted' }, l10n.t('Height'), input);
}

function createZoomGroup({ zoom }: DisplayOptions, actions: ToolbarActions): HTMLElement {
  const below = ZOOMS.findLast((step) => step < zoom);
  const above = ZOOMS.find((step) => step > zoom);
  const step = (icon: string, label: string, to: number | undefined): HTMLElement =>
    createToolButton({
      icon,
      label,
      disabled: to === undefined,
      onClick: () => actions.setDisplayOptions({ zoom: to ?? zoom }),
    });
  return h(
    'span',
    { class: 'group', role: 'group', 'aria-label': l10n.t('Zoom') },
    step(zoomOut, l10n.t('Zoom Out'), below),
    createToolButton({
      label: formatPercent(zoom),
      name: 'zoom',
      onClick: () => actions.setDisplayOptions({ zoom: 1 }),
    }),
    step(zoomIn, l10n.t('Zoom In'), above),
  );
}

function createObjectChips(state: FaceState, actions: ToolbarActions): Child[] {
  if (state.source === 'asset') return [];
  const ownChip =
    state.ownObject !== undefined &&
    h('span', { class: 'chip' }, h('bdi', { title: state.ownObject }, state.ownObject));
  const chips = state.objects.map(({ key, label }) =>
    h(
      'span',
      { class: 'chip' },
      h('bdi', { title: label }, label),
      createToolButton({
        icon: close,
        label: l10n.t('Remove {0}', label),
        name: `remove ${key}`,
        onClick: () => actions.post('removeObject', { key }),
      }),
    ),
  );
  const label = state.objects.length === 0 ? l10n.t('Select Object…') : l10n.t('Add Object…');
  const button = createToolButton({
    icon: add,
    label,
    name: 'addObject',
    text: true,
    disabled: !state.canAddObject,
    onClick: () => actions.post('addObject', {}),
  });
  const heading = chips.length === 0 && h('span', { class: 'muted' }, l10n.t('Objects'));
  return [heading, ownChip, ...chips, button];
}

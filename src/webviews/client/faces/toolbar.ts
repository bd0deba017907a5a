/** The controls above the frames. */
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
import type { FaceState, DisplayOptions } from '../../protocol/faces.ts';

export interface ToolbarActions {
  setDisplayOptions(change: Partial<DisplayOptions>): void;
  selectVariant(key: string): void;
  postMessage(
    message: 'refresh' | 'addObject' | 'openSource' | 'openLab' | 'compare' | 'copyJsonString' | 'openJsonString',
  ): void;
  removeObject(key: string): void;
}

const ZOOMS = [0.25, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4];
const SIZES = [
  { value: 'free', label: 'Responsive' },
  { value: 'card', label: 'Card 320 × 448' },
  { value: 'phone', label: 'Phone 390 × 844' },
  { value: 'wide', label: 'Wide 1024 × 576' },
] as const;
const BACKGROUNDS = [
  { value: 'theme', label: 'Editor background' },
  { value: 'light', label: 'Light background' },
  { value: 'dark', label: 'Dark background' },
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
    message: Parameters<ToolbarActions['postMessage']>[0],
  ): HTMLElement =>
    withFocusName(
      message,
      createToolButton({
        icon,
        label,
        onClick: () => {
          actions.postMessage(message);
        },
      }),
    );
  const lab = state.lab && state.source === 'file';
  return [
    h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Face' },
      h(
        'div',
        { class: 'heading' },
        h('h1', { title: state.title }, h('bdi', {}, state.title)),
        h('span', { class: 'muted' }, state.heading),
      ),
      h(
        'span',
        { class: 'group' },
        lab && createTool(diff, 'Compare with Platform…', 'compare'),
        lab && createTool(json, 'Copy as JSON String', 'copyJsonString'),
        lab && createTool(openString, 'Open JSON String as HTML…', 'openJsonString'),
        !lab && state.source !== 'asset' && createTool(beaker, 'Open Face Lab', 'openLab'),
        createTool(goToFile, state.source === 'file' ? 'Show File' : 'Open as JSON', 'openSource'),
        createTool(refresh, state.loading ? 'Refresh (Loading…)' : 'Refresh', 'refresh'),
      ),
    ),
    h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'View options' },
      state.variants.length > 1 &&
        withFocusName(
          'variant',
          createSelect({
            label: 'Variant',
            choices: state.variants.map(({ key, label }) => ({ value: key, label })),
            value: state.variant,
            onSelect: (key) => {
              actions.selectVariant(key);
            },
          }),
        ),
      withFocusName(
        'size',
        createSelect({
          label: 'Size',
          choices: SIZES,
          value: display.size,
          onSelect: (size) => {
            actions.setDisplayOptions({ size });
          },
        }),
      ),
      display.size === 'free' && createHeightInput(display, actions),
      withFocusName(
        'background',
        createSelect({
          label: 'Background',
          choices: BACKGROUNDS,
          value: display.background,
          onSelect: (background) => {
            actions.setDisplayOptions({ background });
          },
        }),
      ),
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
    title: 'Maximum height in pixels',
    'data-name': 'height',
    on: {
      change: ({ target }) => {
        const height = target instanceof HTMLInputElement ? target.valueAsNumber : NaN;
        if (height >= 80 && height <= 4000) actions.setDisplayOptions({ height });
      },
    },
  });
  return h('label', { class: 'height muted' }, 'Height', input);
}

function createZoomGroup({ zoom }: DisplayOptions, actions: ToolbarActions): HTMLElement {
  const below = ZOOMS.findLast((step) => step < zoom);
  const above = ZOOMS.find((step) => step > zoom);
  const step = (icon: string, label: string, to: number | undefined): HTMLElement =>
    withFocusName(
      label,
      createToolButton({
        icon,
        label,
        disabled: to === undefined,
        onClick: () => {
          actions.setDisplayOptions({ zoom: to ?? zoom });
        },
      }),
    );
  return h(
    'span',
    { class: 'group', role: 'group', 'aria-label': 'Zoom' },
    step(zoomOut, 'Zoom Out', below),
    withFocusName(
      'zoom',
      createToolButton({
        label: `${String(Math.round(zoom * 100))}%`,
        onClick: () => {
          actions.setDisplayOptions({ zoom: 1 });
        },
      }),
    ),
    step(zoomIn, 'Zoom In', above),
  );
}

function createObjectChips(state: FaceState, actions: ToolbarActions): Child[] {
  if (state.source === 'asset') return [];
  const chips = state.objects.map(({ key, label }) =>
    h(
      'span',
      { class: 'chip' },
      h('bdi', { title: label }, label),
      withFocusName(
        `remove ${key}`,
        createToolButton({
          icon: close,
          label: `Remove ${label}`,
          onClick: () => {
            actions.removeObject(key);
          },
        }),
      ),
    ),
  );
  const label = state.objects.length === 0 ? 'Select Object…' : 'Add Object…';
  const button = createToolButton({
    icon: add,
    label,
    text: true,
    disabled: !state.canAddObject,
    onClick: () => {
      actions.postMessage('addObject');
    },
  });
  const heading = chips.length === 0 && h('span', { class: 'muted' }, 'Objects');
  return [heading, ...chips, withFocusName('addObject', button)];
}

/** Sets the name by which `preserveFocus` finds the control again. */
function withFocusName<E extends HTMLElement>(name: string, element: E): E {
  element.dataset['name'] = name;
  return element;
}

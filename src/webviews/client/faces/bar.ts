/** The controls above the frames: what is shown, how large, on what ground, with whose data. */
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
import { choice, toolButton } from '../controls.ts';
import { h } from '../kit.ts';
import type { FaceState, Look } from '../../protocol-faces.ts';

export interface BarActions {
  look(change: Partial<Look>): void;
  variant(key: string): void;
  run(what: 'refresh' | 'addObject' | 'openSource' | 'openLab' | 'compare' | 'copyString' | 'openString'): void;
  removeObject(key: string): void;
}

const ZOOMS = [0.25, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4];
const SIZES = [
  { value: 'free', label: 'Free' },
  { value: 'card', label: 'Card 320 × 448' },
  { value: 'phone', label: 'Phone 390 × 844' },
  { value: 'wide', label: 'Wide 1024 × 576' },
] as const;
const GROUNDS = [
  { value: 'theme', label: 'Editor ground' },
  { value: 'light', label: 'Light ground' },
  { value: 'dark', label: 'Dark ground' },
] as const;

export function bar(
  state: FaceState,
  look: Look,
  actions: BarActions,
): { readonly header: Node[]; readonly objects: Node[] } {
  return { header: headerOf(state, look, actions), objects: objectsOf(state, actions) };
}

function headerOf(state: FaceState, look: Look, actions: BarActions): Node[] {
  const tool = (icon: string, label: string, what: Parameters<BarActions['run']>[0]): HTMLElement =>
    named(
      what,
      toolButton({
        icon,
        label,
        run: () => {
          actions.run(what);
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
        lab && tool(diff, 'Compare With the Platform’s…', 'compare'),
        lab && tool(json, 'Copy as One-Line JSON String', 'copyString'),
        lab && tool(openString, 'Open JSON String as HTML…', 'openString'),
        !lab && state.source !== 'asset' && tool(beaker, 'Open Face Lab', 'openLab'),
        tool(goToFile, state.source === 'file' ? 'Show File' : 'Open as JSON', 'openSource'),
        tool(refresh, state.busy ? 'Refresh (reading…)' : 'Refresh', 'refresh'),
      ),
    ),
    h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Look' },
      state.variants.length > 1 &&
        named(
          'variant',
          choice({
            label: 'Variant',
            choices: state.variants.map(({ key, label }) => ({ value: key, label })),
            value: state.variant,
            choose: (key) => {
              actions.variant(key);
            },
          }),
        ),
      named(
        'size',
        choice({
          label: 'Size',
          choices: SIZES,
          value: look.size,
          choose: (size) => {
            actions.look({ size });
          },
        }),
      ),
      look.size === 'free' && heightInput(look, actions),
      named(
        'ground',
        choice({
          label: 'Background',
          choices: GROUNDS,
          value: look.background,
          choose: (background) => {
            actions.look({ background });
          },
        }),
      ),
      zoomGroup(look, actions),
    ),
  ];
}

function heightInput(look: Look, actions: BarActions): HTMLElement {
  const input = h('input', {
    type: 'number',
    class: 'height',
    min: 80,
    max: 4000,
    step: 20,
    value: look.height,
    title: 'Height of a frame at the most, in pixels',
    'data-name': 'height',
    on: {
      change: ({ target }) => {
        const height = target instanceof HTMLInputElement ? target.valueAsNumber : NaN;
        if (height >= 80 && height <= 4000) actions.look({ height });
      },
    },
  });
  return h('label', { class: 'height muted' }, 'Height', input);
}

function zoomGroup({ zoom }: Look, actions: BarActions): HTMLElement {
  const below = ZOOMS.findLast((step) => step < zoom);
  const above = ZOOMS.find((step) => step > zoom);
  const step = (icon: string, label: string, to: number | undefined): HTMLElement =>
    named(
      label,
      toolButton({
        icon,
        label,
        disabled: to === undefined,
        run: () => {
          actions.look({ zoom: to ?? zoom });
        },
      }),
    );
  return h(
    'span',
    { class: 'group', role: 'group', 'aria-label': 'Zoom' },
    step(zoomOut, 'Zoom Out', below),
    named(
      'zoom',
      toolButton({
        label: `${String(Math.round(zoom * 100))} %`,
        run: () => {
          actions.look({ zoom: 1 });
        },
      }),
    ),
    step(zoomIn, 'Zoom In', above),
  );
}

function objectsOf(state: FaceState, actions: BarActions): Node[] {
  if (state.source === 'asset') return [];
  const chips = state.objects.map(({ key, label }) =>
    h(
      'span',
      { class: 'chip' },
      h('bdi', { title: label }, label),
      named(
        `remove ${key}`,
        toolButton({
          icon: close,
          label: `Remove ${label}`,
          run: () => {
            actions.removeObject(key);
          },
        }),
      ),
    ),
  );
  const label = state.objects.length === 0 ? 'Choose Object…' : 'Add Object…';
  const button = toolButton({
    icon: add,
    label,
    text: true,
    disabled: !state.canAddObject,
    run: () => {
      actions.run('addObject');
    },
  });
  return [h('span', { class: 'muted' }, 'With data of'), ...chips, named('addObject', button)];
}

/** By this name the focus finds its control again. */
function named<E extends HTMLElement>(name: string, element: E): E {
  element.dataset['name'] = name;
  return element;
}

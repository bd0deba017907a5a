/** The top of a page: a bar, and a card with picture, name, facts, and what can be done. */
import * as l10n from '@vscode/l10n';
import back from '@vscode/codicons/src/icons/arrow-left.svg';
import eye from '@vscode/codicons/src/icons/eye.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import link from '@vscode/codicons/src/icons/link.svg';
import pin from '@vscode/codicons/src/icons/pin.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import { createButton, createNotice, createToolButton } from '../controls.ts';
import { formatRemedy } from '../../../model/text/error-remedy.ts';
import { h, type Child } from '../dom.ts';
import type { PageState } from '../../protocol/page.ts';
import { renderFields, type PagePost } from './fields.ts';

/** Renders the bar above the card. */
export function renderBar(state: PageState, post: PagePost): readonly Child[] {
  const tool = (
    name: 'back' | 'keep' | 'watch' | 'copyLink' | 'refresh' | 'json',
    icon: string,
    label: string,
    text = false,
  ): HTMLButtonElement => createToolButton({ icon, label, name, text, onClick: () => post(name, {}) });
  return [
    state.canGoBack && tool('back', back, l10n.t('Back')),
    h(
      'span',
      { class: 'muted' },
      h('bdi', {}, state.kind),
      ' · ',
      h('bdi', { class: state.production && 'production' }, state.heading),
    ),
    h('span', { class: 'spring' }),
    h('span', { class: 'muted' }, state.busy ? l10n.t('Loading…') : state.freshness),
    h(
      'span',
      { class: 'group' },
      state.isPreview && tool('keep', pin, l10n.t('Keep Open')),
      state.hasJson && tool('watch', eye, l10n.t('Watch…')),
      state.tab === 'history' && tool('copyLink', link, l10n.t('Copy Link')),
      tool('refresh', refresh, l10n.t('Refresh')),
      state.hasJson && tool('json', json, l10n.t('JSON'), true),
    ),
  ];
}

/** Renders the card. */
export function renderCard(state: PageState, post: PagePost): readonly Child[] {
  const { picture, title, status, description, facts } = state;
  const buttons = renderButtons(state, post);
  return [
    picture !== undefined && h('img', { class: 'picture', src: picture, alt: '' }),
    h(
      'div',
      { class: 'what' },
      h(
        'h1',
        {},
        h('bdi', {}, title),
        status !== undefined && h('span', { class: `badge tone ${status.tone}` }, status.label),
      ),
      description !== undefined && h('p', { class: 'muted description' }, description),
      renderFields(facts, 'facts', post),
      buttons.length > 0 && h('div', { class: 'buttons', role: 'group', 'aria-label': l10n.t('Actions') }, ...buttons),
    ),
  ];
}

function renderButtons({ actions, commands }: PageState, post: PagePost): readonly Child[] {
  return [
    ...actions.map(({ name, label, about }, index) =>
      createButton(
        {
          // What ends an object is not suggested.
          class: index === 0 && name !== 'burn' ? 'action' : 'secondary',
          name: `action ${name}`,
          title: about,
          onClick: () => post('action', { name }),
        },
        label,
      ),
    ),
    ...commands.map(({ id, label }) =>
      createButton({ class: 'secondary', name: `command ${id}`, onClick: () => post('command', { id }) }, label),
    ),
  ];
}

/** Renders what is wrong, or why something is missing. */
export function renderNotice({ notice }: PageState, post: PagePost): HTMLElement | undefined {
  if (notice === undefined) return undefined;
  const { remedy } = notice;
  const onClick = (): void => {
    if (remedy === undefined) post('refresh', {});
    else post('remedy', { id: remedy });
  };
  return createNotice(
    notice,
    notice.tone !== 'info' &&
      createButton(
        { class: 'secondary', name: remedy ?? 'refresh', onClick },
        remedy === undefined ? l10n.t('Retry') : formatRemedy(remedy),
      ),
  );
}

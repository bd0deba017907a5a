/** Pure: a template's action as a row: its name and who may run it. */
import { own } from '../platform/json.ts';
import type { templateAction } from '../platform/resources/shapes.ts';
import type { ViewOf } from '../platform/schema.ts';
import type { Fact } from './facts.ts';

const icons: Readonly<Record<string, string>> = {
  public: 'globe',
  private: 'lock',
  whitelist: 'list-selection',
  token: 'key',
};

export function action(view: ViewOf<typeof templateAction>): Fact {
  const access = view.access?.type;
  const name = view.alias ?? view.name ?? 'action';
  const words = [
    view.alias === undefined ? undefined : view.name,
    access ?? 'access not named',
    access === 'token' ? tokens(view.access?.tokens ?? {}) : undefined,
  ];
  return {
    type: 'fact',
    label: name,
    value: words.filter((word) => typeof word === 'string' && word !== '').join(' · '),
    icon: access === undefined ? 'question' : (own(icons, access) ?? 'question'),
  };
}

/** One of which only the name is known. */
export function actionNamed(name: string): Fact {
  return { type: 'fact', label: name, value: 'action', icon: 'zap' };
}

function tokens(amounts: Readonly<Record<string, unknown>>): string {
  return Object.entries(amounts)
    .slice(0, 5)
    .map(([token, amount]) => `${JSON.stringify(amount)} ${token}`)
    .join(', ');
}

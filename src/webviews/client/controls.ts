/** Controls that several views share: a picture button with its name, a labelled choice. */
import { h, type Child } from './kit.ts';
import { icon } from './icons.ts';

export interface ToolOptions {
  /** an imported codicon, see icons.ts */
  readonly icon?: string;
  /** its name: tooltip and accessible name, or the visible text where there is no icon */
  readonly label: string;
  /** also show the label as text beside the icon */
  readonly text?: boolean;
  /** makes a switch of it */
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly run: () => void;
}

export function toolButton(options: ToolOptions): HTMLButtonElement {
  const shown = options.icon === undefined || options.text === true;
  return h(
    'button',
    {
      type: 'button',
      class: 'tool',
      title: options.label,
      'aria-label': shown ? undefined : options.label,
      'aria-pressed': options.pressed === undefined ? undefined : String(options.pressed),
      disabled: options.disabled,
      on: {
        click: () => {
          options.run();
        },
      },
    },
    options.icon === undefined ? undefined : icon(options.icon),
    shown && options.label,
  );
}

export interface ChoiceOptions<Value extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

/** The platform's own select; its label is for screen readers and the tooltip. */
export function choice<Value extends string>(options: ChoiceOptions<Value>): HTMLSelectElement {
  const select: HTMLSelectElement = h(
    'select',
    {
      'aria-label': options.label,
      title: options.label,
      on: {
        change: () => {
          const chosen = options.choices[select.selectedIndex];
          if (chosen !== undefined) options.choose(chosen.value);
        },
      },
    },
    ...options.choices.map(({ value, label }): Child =>
      h('option', { value, selected: value === options.value }, label),
    ),
  );
  return select;
}

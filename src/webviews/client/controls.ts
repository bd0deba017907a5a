import { h, type Child } from './dom.ts';
import { createIcon } from './icons.ts';

interface ToolButtonOptions {
  /** an imported codicon, see icons.ts */
  readonly icon?: string;
  /** tooltip and accessible name; without an icon, the visible text */
  readonly label: string;
  /** show the label beside the icon */
  readonly text?: boolean;
  /** makes the button a toggle */
  readonly isPressed?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** Creates an icon button with a tooltip, or a text button. */
export function createToolButton(options: ToolButtonOptions): HTMLButtonElement {
  const showsText = options.icon === undefined || options.text === true;
  return h(
    'button',
    {
      type: 'button',
      class: 'tool',
      title: options.label,
      'aria-label': showsText ? undefined : options.label,
      'aria-pressed': options.isPressed === undefined ? undefined : String(options.isPressed),
      disabled: options.disabled,
      on: { click: () => options.onClick() },
    },
    options.icon === undefined ? undefined : createIcon(options.icon),
    showsText && options.label,
  );
}

interface ButtonOptions {
  /** `action`, `secondary`, `link` */
  readonly class: string;
  /** keeps the focus when the button is rendered again */
  readonly name?: string;
  readonly title?: string;
  readonly onClick: (event: MouseEvent) => void;
}

/** Creates a button with text or other content. */
export function createButton({ name, onClick, ...attributes }: ButtonOptions, ...content: Child[]): HTMLButtonElement {
  return h('button', { type: 'button', ...attributes, 'data-name': name, on: { click: onClick } }, ...content);
}

interface SelectOptions<Value extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onSelect: (value: Value) => void;
}

/** Creates a native select; its label is the tooltip and accessible name. */
export function createSelect<Value extends string>(options: SelectOptions<Value>): HTMLSelectElement {
  const select: HTMLSelectElement = h(
    'select',
    {
      'aria-label': options.label,
      title: options.label,
      on: {
        change: () => {
          const chosen = options.choices[select.selectedIndex];
          if (chosen !== undefined) options.onSelect(chosen.value);
        },
      },
    },
    ...options.choices.map(({ value, label }): Child =>
      h('option', { value, selected: value === options.value }, label),
    ),
  );
  return select;
}

import { h, type Child } from './dom.ts';
import { createIcon } from './icons.ts';

interface ToolButtonOptions {
  /** an imported codicon, see icons.ts */
  readonly icon?: string;
  /** tooltip and accessible name; without an icon, the visible text */
  readonly label: string;
  /** keeps the focus when the button is rendered again; default: the label */
  readonly name?: string;
  /** show the label beside the icon */
  readonly text?: boolean;
  /** makes the button a toggle */
  readonly isPressed?: boolean;
  /** keeps the focus, and does nothing */
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
      'data-name': options.name ?? options.label,
      'aria-label': showsText ? undefined : options.label,
      'aria-pressed': options.isPressed === undefined ? undefined : String(options.isPressed),
      'aria-disabled': options.disabled === true ? 'true' : undefined,
      on: {
        click: () => {
          if (options.disabled !== true) options.onClick();
        },
      },
    },
    options.icon === undefined ? undefined : createIcon(options.icon),
    showsText && options.label,
  );
}

interface ButtonOptions {
  /** `action`, `primary`, `secondary`, `link`, `tool` */
  readonly class: string;
  /** keeps the focus when the button is rendered again */
  readonly name?: string;
  readonly title?: string;
  /** makes the button a toggle */
  readonly isPressed?: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

/** Creates a button with text or other content. */
export function createButton(
  { name, isPressed, onClick, ...attributes }: ButtonOptions,
  ...content: readonly Child[]
): HTMLButtonElement {
  return h(
    'button',
    {
      type: 'button',
      ...attributes,
      'data-name': name,
      'aria-pressed': isPressed === undefined ? undefined : String(isPressed),
      on: { click: onClick },
    },
    ...content,
  );
}

interface NoticeOptions {
  readonly text: string;
  readonly tone?: 'info' | 'warning' | 'error';
  /** unless the element around it announces it */
  readonly role?: 'alert' | 'status';
}

/** Creates a notice with buttons for what helps. */
export function createNotice({ text, tone, role }: NoticeOptions, ...buttons: readonly Child[]): HTMLElement {
  return h('div', { class: 'notice', 'data-tone': tone, role }, h('span', {}, text), ...buttons);
}

interface SelectOptions<Value extends string> {
  readonly label: string;
  /** keeps the focus when the select is rendered again; default: the label */
  readonly name?: string;
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
      'data-name': options.name ?? options.label,
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

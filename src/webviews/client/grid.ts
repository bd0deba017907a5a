import { getResourceContext, h, replaceChildren, replaceControls, type Child, type ResourceTarget } from './dom.ts';

/** Rows rendered before and after those in view. */
const OVERSCAN = 20;
/** Pixels between columns, and before the first; those of `.line` in grid.css. */
const COLUMN_GAP = 12;

/** A column: its head, and what its cells show of a row. */
export interface GridColumn<Row> {
  readonly label: string;
  /** below the label */
  readonly control?: HTMLElement | undefined;
  /** CSS length; the least one if the column grows */
  readonly width: string;
  /** the share of the room that the other columns leave */
  readonly grows?: number;
  readonly class?: string;
  readonly getText: (row: Row) => string;
  /** the children of a cell; default: the text, see `renderText` */
  readonly render?: (row: Row, text: readonly Child[]) => readonly Child[];
  /** default: the text */
  readonly getTitle?: (row: Row) => string;
  /** the resource whose context menu a cell has */
  readonly getResource?: (row: Row) => ResourceTarget | undefined;
  /** further classes of a cell */
  readonly getClass?: (row: Row) => string | undefined;
}

/** What a line shows; the same values mean the same element. */
interface GridLine<Row> {
  /** what identifies the row if it gets another index; default: the index */
  readonly key?: string | undefined;
  /** undefined until it has arrived */
  readonly row: Row | undefined;
  readonly isSelected: boolean;
  /** column of the cursor, if it is in this row */
  readonly cursor?: number | undefined;
  /** what else `render` depends on */
  readonly mark?: unknown;
}

interface Rendered {
  readonly content: object;
  readonly element: HTMLElement;
  index: number;
}

interface GridRange {
  /** the rendered rows, `last` excluded */
  readonly first: number;
  readonly last: number;
  readonly firstVisible: number;
  readonly lastVisible: number;
}

interface GridOptions<Row> {
  /** rows of the header; default: one with the labels of the columns */
  readonly header?: readonly HTMLElement[];
  readonly getLine: (index: number) => GridLine<Row>;
  /** further attributes of a row's element; `class` is added to its own */
  readonly getAttributes: (row: Row) => Readonly<Record<string, string>>;
  /** the children for a text, such as highlighted matches; default: the text */
  readonly renderText?: (text: string) => readonly Child[];
  /** called before the rows of a range are rendered */
  readonly onRange: (range: GridRange) => void;
  /** `index`: the row that a key moves to from row `cursor`, if it does. Returns true if the key was handled. */
  readonly onKey: (event: KeyboardEvent, index: number | undefined) => boolean;
  readonly getCursor: () => number;
  readonly onClick: (event: MouseEvent, row: number, column: number | undefined) => void;
  readonly onDoubleClick: (row: number) => void;
}

/** A grid of any length: only the rows in view are in the DOM, and unchanged ones keep their elements. */
export class Grid<Row> {
  readonly element: HTMLElement;
  readonly #options: GridOptions<Row>;
  readonly #header: HTMLElement;
  readonly #names = h('div', { class: 'line names', role: 'row', 'aria-rowindex': 1 });
  readonly #body = h('div', { class: 'body', role: 'rowgroup' });
  readonly #lines = new Map<string | number, Rendered>();
  readonly #headerRows: number;
  #columns: readonly GridColumn<Row>[] = [];
  #count = 0;
  #rowHeight = 24;
  #frame = 0;
  /** the rendered rows, `last` excluded */
  #range = { first: 0, last: 0 };

  constructor(options: GridOptions<Row>) {
    this.#options = options;
    const header = options.header ?? [this.#names];
    this.#headerRows = header.length;
    this.#header = h('div', { class: 'header', role: 'rowgroup' }, ...header);
    const schedule = (): void => this.schedule();
    this.element = h(
      'div',
      {
        class: 'grid',
        role: 'grid',
        tabindex: 0,
        on: { scroll: schedule, keydown: (event) => this.#onKeydown(event) },
      },
      this.#header,
      this.#body,
    );
    this.#body.addEventListener('click', (event) => {
      const { row, column } = findCell(event.target) ?? {};
      if (row !== undefined) options.onClick(event, row, column);
    });
    this.#body.addEventListener('dblclick', (event) => {
      const { row } = findCell(event.target) ?? {};
      if (row !== undefined) options.onDoubleClick(row);
    });
    new ResizeObserver(schedule).observe(this.element);
  }

  /** pixels */
  get rowHeight(): number {
    return this.#rowHeight;
  }

  set rowHeight(height: number) {
    if (height === this.#rowHeight) return;
    this.#rowHeight = height;
    this.element.style.setProperty('--row', `${String(height)}px`);
    this.#lines.clear();
    replaceChildren(this.#body);
    this.schedule();
  }

  /** Changes the columns, and the labels in the header if it has no rows of its own. */
  setColumns(columns: readonly GridColumn<Row>[]): void {
    this.#columns = columns;
    this.element.setAttribute('aria-colcount', String(columns.length));
    this.setWidths(columns);
    if (this.#options.header === undefined)
      replaceControls(this.#names, () =>
        columns.map(({ label, control, class: name }, column) =>
          h('span', { role: 'columnheader', 'aria-colindex': column + 1, title: label, class: name }, label, control),
        ),
      );
    this.schedule();
  }

  /** Shows widths, also before they are those of the columns. */
  setWidths(columns: readonly Pick<GridColumn<Row>, 'width' | 'grows'>[]): void {
    const { style } = this.element;
    const tracks = columns.map(({ width, grows }) =>
      grows === undefined ? width : `minmax(${width}, ${String(grows)}fr)`,
    );
    style.setProperty('--columns', tracks.join(' '));
    const gaps = `${String(COLUMN_GAP * (columns.length + 1))}px`;
    style.setProperty('--row-width', `calc(${[gaps, ...columns.map(({ width }) => width)].join(' + ')})`);
  }

  /** Sets the number of rows. `hasMore`: the number of all rows is not known. */
  setCount(count: number, hasMore = false): void {
    this.#count = count;
    this.element.setAttribute('aria-rowcount', String(hasMore ? -1 : count + this.#headerRows));
    this.#body.style.height = `${String(count * this.#rowHeight)}px`;
  }

  /** Renders with the next frame. */
  schedule(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.render();
    });
  }

  /** Renders the rows in view, and some around them; with the next frame, if all in view are new. */
  render(): void {
    const { scrollTop, clientHeight } = this.element;
    const firstVisible = Math.floor(scrollTop / this.#rowHeight);
    const lastVisible = Math.ceil((scrollTop + clientHeight) / this.#rowHeight);
    // A grid without room still has rows for screen readers.
    const isNew = lastVisible > firstVisible && (firstVisible >= this.#range.last || lastVisible <= this.#range.first);
    const overscan = isNew ? 0 : OVERSCAN;
    const first = Math.max(0, firstVisible - overscan);
    const last = Math.min(this.#count, lastVisible + overscan);
    this.#range = { first, last };
    if (isNew && first < last) this.schedule();
    this.#options.onRange({ first, last, firstVisible, lastVisible });
    const lines = Array.from({ length: Math.max(0, last - first) }, (_, at) => this.#options.getLine(first + at));
    const keys = new Set(lines.map(({ key }, at) => key ?? first + at));
    for (const [key, { element }] of this.#lines) {
      if (keys.has(key)) continue;
      element.remove();
      this.#lines.delete(key);
    }
    let active: string | undefined;
    let next = this.#body.firstChild;
    lines.forEach((line, at) => {
      const index = first + at;
      const key = line.key ?? index;
      if (line.cursor !== undefined) active = formatCellId(index, line.cursor);
      else if (line.isSelected) active ??= formatRowId(index);
      const content = { ...line, columns: this.#columns };
      let rendered = this.#lines.get(key);
      if (rendered === undefined || !isEqual(rendered.content, content)) {
        const element = this.#renderLine(line);
        if (rendered !== undefined) {
          if (rendered.element === next) next = element;
          rendered.element.replaceWith(element);
        }
        this.#lines.set(key, (rendered = { content, element, index: -1 }));
      }
      if (rendered.index !== index) this.#place(rendered, index);
      if (rendered.element === next) next = next.nextSibling;
      else this.#body.insertBefore(rendered.element, next);
    });
    if (active === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', active);
  }

  #place(rendered: Rendered, index: number): void {
    const { element } = rendered;
    rendered.index = index;
    element.id = formatRowId(index);
    element.setAttribute('aria-rowindex', String(index + 1 + this.#headerRows));
    element.style.top = `${String(index * this.#rowHeight)}px`;
    [...element.children].forEach((cell, column) => {
      cell.id = formatCellId(index, column);
    });
  }

  #renderLine({ row, isSelected, cursor }: GridLine<Row>): HTMLElement {
    const { getAttributes, renderText } = this.#options;
    const { class: name, ...attributes } = row === undefined ? {} : getAttributes(row);
    return h(
      'div',
      {
        ...attributes,
        class: ['line', 'item', name].filter(Boolean).join(' '),
        role: 'row',
        'aria-selected': String(isSelected),
      },
      ...this.#columns.map((column, at) => {
        const text = row === undefined ? (at === 0 ? '…' : '') : column.getText(row);
        const parts = renderText?.(text) ?? [text];
        const resource = row && column.getResource?.(row);
        const classes = [column.class, row && column.getClass?.(row), at === cursor && 'cursor'];
        return h(
          'span',
          {
            role: 'gridcell',
            'aria-colindex': at + 1,
            title: (row && column.getTitle?.(row)) ?? text,
            'data-vscode-context': resource && getResourceContext(resource),
            class: classes.filter(Boolean).join(' '),
          },
          ...(row === undefined ? parts : (column.render?.(row, parts) ?? parts)),
        );
      }),
    );
  }

  /** Scrolls a row into view, below the header, and a column of it. `center`: to the middle. */
  reveal(row: number, { column, center = false }: { readonly column?: number; readonly center?: boolean } = {}): void {
    const { element } = this;
    const top = row * this.#rowHeight;
    const visible = element.clientHeight - this.#header.offsetHeight;
    if (center) element.scrollTop = top - (visible - this.#rowHeight) / 2;
    else if (top < element.scrollTop) element.scrollTop = top;
    else if (top + this.#rowHeight > element.scrollTop + visible) element.scrollTop = top + this.#rowHeight - visible;
    if (column === undefined) return;
    this.render();
    document.getElementById(formatCellId(row, column))?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }

  #onKeydown(event: KeyboardEvent): void {
    // Keys in the header, or in what a page puts below the rows, belong to its inputs and buttons.
    if (event.target !== this.element || this.#count === 0) return;
    const { clientHeight } = this.element;
    const page = Math.max(1, Math.floor((clientHeight - this.#header.offsetHeight) / this.#rowHeight) - 1);
    const cursor = this.#options.getCursor();
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: cursor + 1,
      ArrowUp: cursor - 1,
      PageDown: cursor + page,
      PageUp: cursor - page,
      Home: 0,
      End: this.#count - 1,
    };
    const to = moves[event.key];
    if (this.#options.onKey(event, to === undefined ? to : Math.max(0, Math.min(this.#count - 1, to))))
      event.preventDefault();
  }
}

function isEqual(one: object, other: object): boolean {
  const others = Object.values(other);
  return Object.values(one).every((value, index) => value === others[index]);
}

function formatRowId(row: number): string {
  return `row-${String(row)}`;
}

function formatCellId(row: number, column: number): string {
  return `cell-${String(row)}-${String(column)}`;
}

/** Returns the row and column of an element within the body. */
function findCell(target: EventTarget | null): { readonly row: number; readonly column?: number } | undefined {
  if (!(target instanceof Element)) return undefined;
  const row = /^row-(\d+)$/.exec(target.closest('.item')?.id ?? '')?.[1];
  const column = target.closest('[role=gridcell]')?.getAttribute('aria-colindex');
  if (row === undefined) return undefined;
  return { row: Number(row), ...(column !== null && column !== undefined && { column: Number(column) - 1 }) };
}

/** Open Accessibility Help: how the views are used with the keyboard and a screen reader. */
import * as l10n from '@vscode/l10n';
import { openReport } from '../reports/report-documents.ts';

/** Opens the help as rendered Markdown. Rejects if VS Code cannot open it. */
export async function showAccessibilityHelp(): Promise<void> {
  await openReport(`${l10n.t('Accessibility Help')}.md`, formatAccessibilityHelp());
}

/** Formats the help: a section for each view. Keys are those of Windows and Linux; VS Code's keyboard shortcuts show all. */
function formatAccessibilityHelp(): string {
  const sections: readonly (readonly [title: string, ...lines: string[]])[] = [
    [
      l10n.t('Resources and Runs'),
      l10n.t('Use the arrow keys to move and to expand rows, and Enter to open the focused row.'),
      l10n.t('In Resources, F5 refreshes the focused row and Ctrl+C copies its ID.'),
      l10n.t('Shift+F10 opens the commands of the focused row. Many of them have key bindings of their own.'),
      l10n.t('Images are decorative. The name of a row contains its state.'),
    ],
    [
      l10n.t('Pages'),
      l10n.t('The tabs are one stop of the Tab key. The left and right arrow keys select a tab.'),
      l10n.t('Links open the page of another resource. Back returns to the page before.'),
      l10n.t('The end of loading is announced.'),
    ],
    [
      l10n.t('Action Forms'),
      l10n.t('Each field has its messages, its hint and its present value as its description.'),
      l10n.t('Ctrl+Enter runs the action. If values are wrong or missing, the focus moves to the list of errors.'),
      l10n.t('In the list of errors, Enter moves to the field.'),
      l10n.t(
        'The outcome of the run is announced. The links after it open the object, its changes and the action log.',
      ),
    ],
    [
      l10n.t('Action Logs'),
      l10n.t('The entries are a grid. The arrow keys, Page Up, Page Down, Home and End select an entry.'),
      l10n.t('Enter moves to the details of the entry. Escape closes them and returns to the grid.'),
      l10n.t('Ctrl+F searches the loaded entries. The number of matches is announced. Enter returns to the grid.'),
      l10n.t('Ctrl+C copies the ID of the entry, and Ctrl+Shift+C copies the row.'),
      l10n.t(
        'The histogram is a slider. The arrow keys move by one bar, Shift with an arrow key selects a time range, Enter applies it, and Escape resets it.',
      ),
      l10n.t('Problems are announced when they occur. New entries are not.'),
    ],
    [
      l10n.t('Tables'),
      l10n.t(
        'The arrow keys move by one cell, and Home and End move to the first and last row. Enter opens the selected rows.',
      ),
      l10n.t(
        'Shift with an arrow key extends the selection. Ctrl with an arrow key moves without selecting, and Space selects. Ctrl+A selects all loaded rows.',
      ),
      l10n.t(
        'In a column header, Enter sorts, Alt with an arrow key moves the column, and Shift with an arrow key resizes it.',
      ),
      l10n.t('The number of rows and of selected rows is announced.'),
    ],
    [
      l10n.t('Statistics'),
      l10n.t('T shows tables instead of charts, with the same numbers.'),
      l10n.t(
        'In a chart, the left and right arrow keys move to a point in time, which is announced. The up and down arrow keys select a line, and Enter shows its action logs.',
      ),
      l10n.t(
        'Shift with an arrow key selects a time range, and Enter zooms in. Plus and minus zoom, and Escape resets the zoom.',
      ),
    ],
    [
      l10n.t('Face Preview and Face Lab'),
      l10n.t('Each object has a frame with the face. The outcome of loading and the number of problems are announced.'),
      l10n.t(
        'The details below the frames list blocked content, unresolved placeholders and links. They are groups that can be expanded.',
      ),
    ],
    [
      l10n.t('General'),
      l10n.t(
        'The views follow the theme, the font size and the zoom level of the editor, and the setting workbench.reduceMotion.',
      ),
      l10n.t('The outcome of a command appears as a notification or in the status bar.'),
    ],
  ];
  const body = sections.map(([title, ...lines]) => `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`);
  return `# ${l10n.t('Accessibility Help')}\n\n${body.join('\n')}`;
}

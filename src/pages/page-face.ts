import * as l10n from '@vscode/l10n';
import type { FaceFrames } from '../faces/face-frames.ts';
import type { PreviewLoader } from '../faces/source/preview-loader.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { PagePolicy } from '../webviews/html.ts';
import type { PageFace } from '../webviews/protocol/page.ts';

/** Renders the face of a page once its images are there, so that it is not rendered twice. */
export function renderPageFace(
  loader: PreviewLoader | undefined,
  frames: FaceFrames,
): { readonly face?: PageFace; readonly policy?: PagePolicy } {
  if (loader === undefined) return {};
  const { face, errors, objects, subjects, isLoading, session } = loader;
  const sources = objects.flatMap(({ subject }) =>
    subject === undefined ? [] : [l10n.t('With the data of {0}', subject.label)],
  );
  const notes = [...errors, ...sources];
  const note = notes.length === 0 ? {} : { note: toPlainText(notes.join(' '), 1000) };
  if (face === undefined) return { face: { busy: isLoading, frames: [], approvalRequests: [], ...note } };
  const { state, policy } = frames.render({
    face,
    variant: '',
    subjects: subjects.length > 0 ? subjects : [undefined],
    session,
    scripts: false,
  });
  const { isFetching } = frames;
  return {
    policy,
    face: {
      busy: isLoading || isFetching,
      frames: isFetching ? [] : state.frames,
      approvalRequests: state.approvalRequests,
      ...note,
    },
  };
}

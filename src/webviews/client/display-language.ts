/** Sets the display language of the page, which contains its messages, when it is imported: the first import of each page. */
import * as z from 'zod/mini';
import { setDisplayLanguage } from '../../platform/text/localization.ts';
import { unpackTranslations } from '../../platform/text/packed-translations.ts';

const packed = document.getElementById('messages')?.textContent;
setDisplayLanguage({
  language: document.documentElement.lang,
  ...(packed !== undefined && {
    messages: unpackTranslations(z.parse(z.record(z.string(), z.string()), JSON.parse(packed))),
  }),
});

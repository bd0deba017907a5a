/** Sets the display language of the page, which contains its messages, when it is imported: the first import of each page. */
import { setDisplayLanguage } from '../../platform/text/localization.ts';

const messages = document.getElementById('messages')?.textContent;
setDisplayLanguage({ language: document.documentElement.lang, ...(messages !== undefined && { messages }) });

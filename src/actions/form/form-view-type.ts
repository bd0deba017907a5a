/** The custom editor of the manifest. */
export const FORM_VIEW_TYPE = 'smartObjects.actionForm';

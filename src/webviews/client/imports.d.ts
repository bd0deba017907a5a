// Imports that esbuild handles: an image becomes a data: URL, a stylesheet goes beside the bundle.
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module '*.css';

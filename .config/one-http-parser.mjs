/**
 * undici contains its HTTP parser twice, 72 KB each: for processors with SIMD instructions, and for all. The second one stays.
 * @type {import('esbuild').Plugin}
 */
export const oneHttpParser = {
  name: 'one-http-parser',
  setup(build) {
    build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path: file, ...options }) =>
      build.resolve(file.replace('_simd', ''), options),
    );
  },
};

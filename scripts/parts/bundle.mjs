import { root } from './root.mjs'

/**
 * Bundles programs, with everything they import, into a few files of plain JavaScript in a folder. Returns Rolldown's
 * output. Files of `together` become one chunk with all that they need.
 */
export async function bundle(folder, { programs, external, plugins, target, together = [] }) {
  // Not at the top: this file is read before anything is installed.
  const { rolldown } = await import('rolldown')
  const made = await rolldown({
    input: programs,
    cwd: root,
    platform: 'node',
    external,
    plugins,
    ...(target && { transform: { target } }),
  })
  const { output } = await made.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    codeSplitting: { groups: together.map((test) => ({ name: 'main', test })) },
    // Names stay, so that what is logged about an error can be read.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  return output
}

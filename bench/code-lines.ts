import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { isForTests, root } from '../test/imports.ts'

/** Lines without blanks and comments: what the product and its benchmarks are made of, and what tests are. */
export type CodeLines = { readonly code: number; readonly tests: number }

const CODE = /\.(tsx?|mjs|css|sql)$/u
const MADE = /(^|\/)(node_modules|dist(-[^/]+)?|\.tsbuild|meta)\//u

/** Of all files below folders that are named from the root. */
export function codeLines(folders: readonly string[]): CodeLines {
  let code = 0
  let tests = 0
  for (const folder of folders)
    for (const file of codeFiles(folder)) {
      const lines = linesOf(readFileSync(join(root, file), 'utf8'))
      if (folder === 'test' || isForTests(file)) tests += lines
      else code += lines
    }
  return { code, tests }
}

/** The files below a folder that hold code, from the root; a file stands for itself. */
export function codeFiles(folder: string): string[] {
  if (CODE.test(folder)) return [folder]
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => CODE.test(file) && !MADE.test(file))
}

const linesOf = (text: string): number => codeOf(text).length

/** The lines of a file that are neither blank nor comments. */
export function codeOf(text: string): readonly string[] {
  const withoutBlocks = text.replaceAll(/^\s*\/\*[\s\S]*?\*\//gmu, '')
  return withoutBlocks.split('\n').filter((line) => !/^\s*(\/\/.*|--.*)?$/u.test(line))
}

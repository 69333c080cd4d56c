import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** One import or re-export, as it stands in the text. */
export type Import = { readonly file: string; readonly target: string; readonly typeOnly: boolean }

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\s+from\s+)?['"]([^'"]+)['"]/gmu)
  const dynamic = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/gu)
  return [
    ...[...statements].map((match) => ({ file, target: match[2] ?? '', typeOnly: match[1] !== undefined })),
    ...[...dynamic].map((match) => ({ file, target: match[1] ?? '', typeOnly: false })),
  ]
}

/** TypeScript files, from the root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Tests, and what only tests and benchmarks are made of. */
export const isForTests = (file: string): boolean =>
  /\.(test|contract|fixture|fake)\.tsx?$|\/src\/testing(-\w+)?\.ts$/u.test(file)

/** The file that a relative import names, from the root. */
export const resolved = (file: string, target: string): string => relative(root, resolve(root, dirname(file), target))

/** `packages/domain`, `apps/web`, `bench`, `test`. */
export const packageOf = (file: string): string =>
  file
    .split('/')
    .slice(0, /^(packages|apps)\//u.test(file) ? 2 : 1)
    .join('/')

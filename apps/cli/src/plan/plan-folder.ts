import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

import type { MadePlan } from '@septet/contract'
import type { PlanFile } from '@septet/plan-files'

/** What an exported plan consists of, beside `plan.json`, which tells that a folder holds one. */
const PARTS = [
  'PLAN.md',
  'commands.sh',
  'prepare.sh',
  'let-in.yaml',
  'mig-parted',
  'device-plugin',
  'evictions',
  'patches',
  'branch',
  'dra',
  'undo',
]

/** A plan as it was written: its folder, and its files by their path there. */
export type Written = { readonly folder: string; readonly files: readonly string[] }

/** Throws with the reason where a plan must not be written. */
export function checkFolder(folder: string, force: boolean): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file; name a directory with --out.`)
  if (!force && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Name another directory, or add --force to write into it.`)
}

/** Writes a plan's files where a folder is named. Throws with the reason where it cannot be files. */
export function writtenTo(
  { files, noFiles }: Pick<MadePlan, 'files' | 'noFiles'>,
  { out, force }: { readonly out: string | undefined; readonly force: boolean },
): Written | undefined {
  if (out === undefined) return undefined
  if (noFiles.length > 0) throw new Error(`The plan cannot be written as files:\n  ${noFiles.join('\n  ')}`)
  if (files.length === 0) return undefined
  writePlanFolder(out, files, force)
  return { folder: out, files: files.map(({ path }) => path) }
}

/** Writes the files into the folder and nowhere else. Files of an older plan go: half of one is worse than none. */
export function writePlanFolder(folder: string, files: readonly PlanFile[], force: boolean): void {
  checkFolder(folder, force)
  mkdirSync(folder, { recursive: true })
  if (holdsPlan(folder))
    for (const part of [...PARTS, 'plan.json']) rmSync(join(folder, part), { recursive: true, force: true })
  for (const { path, text } of files) {
    const target = join(folder, path)
    refuseOutside(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

function holdsPlan(folder: string): boolean {
  const file = join(folder, 'plan.json')
  return existsSync(file) && /"id": "plan-[0-9a-f]+"/u.test(readFileSync(file, 'utf8').slice(0, 200))
}

/** A name that leads out, and a link that somebody put in the way. */
function refuseOutside(folder: string, path: string): void {
  const root = resolve(folder)
  if (!resolve(root, path).startsWith(root + sep)) throw new Error(`${path} would lie outside ${folder}.`)
  const steps = path.split('/')
  const linked = steps
    .map((_, index) => join(root, ...steps.slice(0, index + 1)))
    .find((place) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true)
  if (linked !== undefined) throw new Error(`${linked} is a link, which could lead out of ${folder}; remove it.`)
}

import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

import type { PlanFile } from './plan-file.ts'

/** What a shell pattern of kubectl's arguments is answered with: lines of shell, which may keep files under `$S`. */
export type KubectlAnswers = Readonly<Record<string, string>>

type ScriptRun = {
  readonly code: number
  readonly out: string
  readonly err: string
  /** What kubectl was called with, in order, since the directory was made. */
  readonly calls: readonly string[]
}

export type ScriptDirectory = {
  /** `now`: seconds since the epoch, as `date` says it; left out, the real time. */
  readonly run: (script: string, answers: KubectlAnswers, now?: number) => Promise<ScriptRun>
  /** A file of the directory. */
  readonly read: (path: string) => string
  readonly remove: () => void
}

/**
 * The files of a plan in a directory of their own, with a kubectl on the path that answers by patterns, first match, and
 * succeeds in silence on all else. Time is its own: `sleep` takes none, and each turn of a wait stands for a minute.
 */
export function scriptDirectory(files: readonly PlanFile[]): ScriptDirectory {
  const folder = mkdtempSync(join(tmpdir(), 'septet-script-'))
  const tools = join(folder, 'tools')
  const log = join(folder, 'calls.log')
  const program = (name: string, text: string): void => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(tools, name), 0o700)
  }
  mkdirSync(tools)
  writeFileSync(log, '')
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(
      join(folder, path),
      text.replaceAll(/turns=(\d+)/gu, (_, turns) => `turns=${Number(turns) / 30}`),
    )
  }
  program('sleep', ':')
  const run = async (script: string, answers: KubectlAnswers, now?: number): Promise<ScriptRun> => {
    if (now !== undefined) program('date', `echo ${now}`)
    const cases = Object.entries(answers).map(([pattern, text]) => `${pattern})\n${text}\n;;`)
    program('kubectl', [`S=${folder}`, `echo "$*" >> ${log}`, 'case "$*" in', ...cases, 'esac'].join('\n'))
    const env = { PATH: [tools, process.env['PATH'] ?? ''].join(delimiter) }
    const { promise, resolve } = Promise.withResolvers<Omit<ScriptRun, 'calls'>>()
    execFile('sh', [join(folder, script)], { env, cwd: tmpdir() }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
    return { ...(await promise), calls: readFileSync(log, 'utf8').split('\n').filter(Boolean) }
  }
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  return { run, read, remove: () => rmSync(folder, { recursive: true }) }
}

import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { UsageError } from '../options/command-options.ts'
import { completionScript } from './completion-script.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
let folder: string
let script: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-completion-'))
  // As it is used: the script that the program prints.
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  execFile(process.execPath, [MAIN, 'completion', 'bash'], (error, out) =>
    error === null ? resolve(out) : reject(error),
  )
  script = join(folder, 'completion.bash')
  writeFileSync(script, await promise)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What a real bash offers after some words; the last one is being typed. */
function offered(...words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const typed = `source '${script}'; COMP_WORDS=(septet ${quoted}); COMP_CWORD=${words.length}; _septet; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync('bash', ['--norc', '-c', typed], { encoding: 'utf8', cwd: folder })
  return out.split('\n').filter((line) => line !== '')
}

describe('in a real bash', () => {
  test('commands and verbs, the nouns of a verb, flags, and the values of a flag are offered', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['actions', 'doctor', 'get', 'list', 'report']))
    expect(offered('appr')).toEqual(['approve'])
    expect(offered('approve', '')).toEqual(['action'])
    expect(offered('list', 'wor')).toEqual(['workloads'])
    expect(offered('list', 'workloads', '--s')).toEqual(['--status', '--search', '--sort', '--server'])
    expect(offered('list', 'workloads', '--sort', 'idle')).toEqual(['idleHours', 'idleCost'])
    expect(offered('get', 'summary', '-o', '')).toEqual(['table', 'json', 'yaml', 'csv'])
  })

  test('flags of a command that is no operation, and files', () => {
    expect(offered('report', '--pro')).toEqual(['--prometheus'])
    expect(offered('put', 'policies', '-f', 'comp')).toEqual(['completion.bash'])
  })

  test('bash completes septet by it', () => {
    const out = execFileSync('bash', ['--norc', '-c', `source '${script}'; complete -p septet`], { encoding: 'utf8' })
    expect(out).toContain('-F _septet septet')
  })
})

test.each(['zsh', 'fish'])('a script for %s names the same words', async (shell) => {
  const text = await completionScript([shell], new Map([['report', async () => '--bill FILE']]))
  for (const word of ['workloads', '--idle', 'idleCost', '--bill']) expect(text).toContain(word)
})

test('another shell is refused with those there are', async () => {
  await expect(completionScript(['tcsh'], new Map())).rejects.toThrow(UsageError)
})

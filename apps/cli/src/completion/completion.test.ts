import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { systemTool, without } from '../../../../test/system-tools.ts'
import { UsageError } from '../options/command-options.ts'
import { completionScript } from './completion-script.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
let folder: string
let script: string
let scripts: { readonly zsh: string; readonly fish: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-completion-'))
  const [bash, zsh, fish] = await Promise.all(['bash', 'zsh', 'fish'].map(printed))
  script = bash ?? ''
  scripts = { zsh: zsh ?? '', fish: fish ?? '' }
  writeFileSync(join(folder, 'completion.yaml'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** As it is used: the script that the program prints, in a file. */
async function printed(shell: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  execFile(process.execPath, [MAIN, 'completion', shell], (error, out) =>
    error === null ? resolve(out) : reject(error),
  )
  const file = join(folder, `septet.${shell}`)
  writeFileSync(file, await promise)
  return file
}

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
    expect(offered('list', 'workloads', '--idle', '--so')).toEqual(['--sort'])
    expect(offered('get', 'summary', '-o', '')).toEqual(['table', 'wide', 'json', 'yaml', 'csv'])
  })

  test('flags of a command that is not an operation, and files', () => {
    expect(offered('report', '--pro')).toEqual(['--prometheus'])
    expect(offered('put', 'policies', '-f', 'comp')).toEqual(['completion.yaml'])
  })

  test('bash completes septet by it', () => {
    const out = execFileSync('bash', ['--norc', '-c', `source '${script}'; complete -p septet`], { encoding: 'utf8' })
    expect(out).toContain('-F _septet septet')
  })
})

const FISH = systemTool('fish', 'fish')
const ZSH = systemTool('zsh', 'zsh')

/** What a real fish offers for a line that is being typed. */
function offeredByFish(line: string): string[] {
  const out = execFileSync(FISH ?? 'fish', ['--no-config', '-c', `source '${scripts.fish}'; complete -C '${line}'`], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
  })
  return out.split('\n').filter((each) => each !== '')
}

/**
 * What a real zsh offers: one that a person could type into, on a terminal of its own, with the completion that comes
 * with it. Its `compadd`, which every completion ends in, writes down what it was given that fits.
 */
function offeredByZsh(line: string): string[] {
  for (const name of ['ready', 'offered']) rmSync(join(folder, name), { force: true })
  const drive = join(folder, 'drive.zsh')
  writeFileSync(drive, ZSH_DRIVE)
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SCRIPT: scripts.zsh }
  const out = execFileSync(ZSH ?? 'zsh', ['-f', drive, line], { encoding: 'utf8', cwd: folder, env, timeout: 60_000 })
  return out.split('\n').filter((each) => each !== '')
}

const ZSH_DRIVE = String.raw`
zmodload zsh/zpty
zpty typed zsh -f -i
zpty -w typed 'autoload -Uz compinit; compinit -u -D; source $SCRIPT
compadd() { local -a found; builtin compadd -O found "$@"; print -rl -- $found > part; mv part offered; }; touch ready'
for i in {1..1000}; do [[ -e ready ]] && break; sleep 0.05; done
zpty -w -n typed "$1"$'\t'
for i in {1..1000}; do [[ -e offered ]] && break; sleep 0.05; done
zpty -d typed
cat offered
`

describe.each([
  ['fish', FISH, offeredByFish],
  ['zsh', ZSH, offeredByZsh],
] as const)('in a real %s', (shell, found, offer) => {
  test.skipIf(found === undefined).each([
    ['septet appr', ['approve']],
    ['septet approve ', ['action']],
    ['septet list wor', ['workloads']],
    ['septet list workloads --s', ['--search', '--server', '--sort', '--status']],
    ['septet list workloads --sort idle', ['idleCost', 'idleHours']],
    // A switch needs no value: another flag may follow.
    ['septet list workloads --idle --so', ['--sort']],
    ['septet get summary -o ', ['csv', 'json', 'table', 'wide', 'yaml']],
    ['septet report --pro', ['--prometheus']],
    ['septet put policies -f comp', ['completion.yaml']],
  ])(`"%s" is completed${without(found, shell)}`, (line, words) => {
    expect(offer(line).toSorted()).toEqual(words)
  })
})

test('another shell is refused with those there are', async () => {
  await expect(completionScript(['tcsh'], new Map())).rejects.toThrow(UsageError)
})

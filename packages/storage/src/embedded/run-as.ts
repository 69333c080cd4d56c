import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * As whom the server programs run. PostgreSQL refuses to run as root, so root drops to the user id that Linux keeps for
 * "nobody". Where that user cannot walk to the files, it keeps one capability: to search folders.
 */
export type RunAs =
  | { readonly kind: 'self' }
  | { readonly kind: 'nobody'; readonly uid: number; readonly gid: number }
  | {
      readonly kind: 'nobody-with-search'
      readonly uid: number
      readonly gid: number
      readonly setpriv: string
      readonly capability: 'dac_read_search' | 'dac_override'
    }

const NOBODY = 65_534
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv']

/** What the choice depends on; tests pass their own. */
export type RunAsFacts = {
  readonly root: boolean
  readonly setpriv: string | undefined
  readonly capability: 'dac_read_search' | 'dac_override' | undefined
}

export const circumstances = (): RunAsFacts => ({
  root: process.getuid?.() === 0,
  setpriv: SETPRIV.find((path) => existsSync(path)),
  capability: searchCapability(),
})

/** Undefined when this process is root and the nobody user can reach `paths` in no way. */
export function chooseRunAs(paths: readonly string[], here: RunAsFacts): RunAs | undefined {
  if (!here.root) return { kind: 'self' }
  if (paths.every((path) => canReach(path))) return { kind: 'nobody', uid: NOBODY, gid: NOBODY }
  if (here.setpriv === undefined || here.capability === undefined) return undefined
  return { kind: 'nobody-with-search', uid: NOBODY, gid: NOBODY, setpriv: here.setpriv, capability: here.capability }
}

/** Starts a program as that user, in its own process group, so that Ctrl-C reaches only Septet, which then stops it. */
export function launch(runAs: RunAs, file: string, args: readonly string[]): ChildProcess {
  const searching = runAs.kind === 'nobody-with-search'
  const command = searching ? [runAs.setpriv, ...setprivArguments(runAs), file] : [file]
  return spawn(command[0] ?? file, [...command.slice(1), ...args], {
    cwd: '/',
    detached: true,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(runAs.kind === 'nobody' ? { uid: runAs.uid, gid: runAs.gid } : {}),
  })
}

function setprivArguments(runAs: RunAs & { kind: 'nobody-with-search' }): string[] {
  return [
    `--reuid=${runAs.uid}`,
    `--regid=${runAs.gid}`,
    '--clear-groups',
    `--inh-caps=+${runAs.capability}`,
    `--ambient-caps=+${runAs.capability}`,
    '--',
  ]
}

/** Nothing of Septet's environment (secrets, PG… settings) goes to the server; its messages stay in one language. */
const environment = (): NodeJS.ProcessEnv => ({ PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' })

/** Whether the nobody user may walk through every folder above `path`. */
export function canReach(path: string): boolean {
  const parent = dirname(path)
  if (parent === path) return true
  return canSearch(parent) && canReach(parent)
}

function canSearch(folder: string): boolean {
  const { mode, uid, gid } = statSync(folder)
  if (uid === NOBODY) return (mode & 0o100) !== 0
  return (mode & (gid === NOBODY ? 0o010 : 0o001)) !== 0
}

// Bits of CapEff, capabilities(7): CAP_DAC_OVERRIDE is 1, CAP_DAC_READ_SEARCH is 2. Docker grants the former only.
function searchCapability(): RunAsFacts['capability'] {
  if (!existsSync('/proc/self/status')) return undefined
  const mask = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const capabilities = BigInt(`0x${mask}`)
  if ((capabilities & 4n) !== 0n) return 'dac_read_search'
  return (capabilities & 2n) === 0n ? undefined : 'dac_override'
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names one run of one process: a pid alone is used again by others. */
export type ProcessIdentity = {
  readonly pid: number
  /** When it started, in the system's own words; only ever compared. */
  readonly started: string
  /** Machine, boot and pid namespace: pids of two places cannot be compared. */
  readonly place: string
}

export const identityOf = (pid: number): ProcessIdentity | undefined => {
  const started = startOf(pid)
  return started === undefined ? undefined : { pid, started, place: place() }
}

/** The command line of a process, undefined when there is none. */
export function commandOf(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) return readIfThere(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ')
  return askPs(pid, 'command=')
}

function startOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return askPs(pid, 'lstart=')
  // Field 22 of /proc/pid/stat, counted after the command in parentheses, which may contain blanks. proc(5)
  const fields = readIfThere(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19]
}

function place(): string {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  const namespace = existsSync('/proc/self/ns/pid') ? readlinkSync('/proc/self/ns/pid') : ''
  return [hostname(), boot, namespace].join(' ')
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function askPs(pid: number, column: string): string | undefined {
  try {
    const answer = execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
    return answer === '' ? undefined : answer
  } catch {
    return undefined
  }
}

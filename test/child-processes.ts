import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export type RunningProcess = { readonly pid: number; readonly parent: number; readonly command: string }

/** Everything below a process, its children's children too. */
export function descendantsOf(pid: number): RunningProcess[] {
  const all = runningProcesses()
  const below = (parent: number): RunningProcess[] =>
    all.filter((one) => one.parent === parent).flatMap((child) => [child, ...below(child.pid)])
  return below(pid)
}

/** Which of these are still there; one that has ended and only waits for its parent to ask is not. */
export function stillRunning(pids: readonly number[]): RunningProcess[] {
  return runningProcesses().filter(({ pid }) => pids.includes(pid))
}

function runningProcesses(): RunningProcess[] {
  const found = existsSync('/proc/self/stat') ? fromProc() : fromPs()
  return found.filter(({ state }) => !state.startsWith('Z'))
}

type Found = RunningProcess & { readonly state: string }

const fromProc = (): Found[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      try {
        // `pid (name) state parent …`, proc_pid_stat(5); the name may hold blanks and parentheses.
        const [, state = '', parent] = /.*\) (\S) (\d+)/su.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ pid: Number(name), parent: Number(parent), state, command }]
      } catch {
        return []
      }
    })

const fromPs = (): Found[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/u.exec(line) ?? []
      return { pid: Number(pid), parent: Number(parent), state, command }
    })

import { readdir, readFile } from 'node:fs/promises'

/** Memory of a Septet and of the processes that it started, MiB; Linux only. */
export type Memory = {
  readonly own: number
  /** Proportional set sizes, so that shared buffers count once. */
  readonly postgres: number
}

export async function memoryOf(pid: number): Promise<Memory> {
  const below = await descendantsOf(pid)
  let postgres = 0
  for (const child of below) {
    const command = await text(child, 'cmdline')
    if (command.includes('postgres')) postgres += kib(await text(child, 'smaps_rollup'), 'Pss')
  }
  return { own: mib(kib(await text(pid, 'status'), 'VmRSS')), postgres: mib(postgres) }
}

/** Seconds that a process has computed in all its threads. */
export async function processorSecondsOf(pid: number): Promise<number> {
  // Fields after the command's closing parenthesis: user and system time are the 12th and 13th, in 1/100 s (proc(5)).
  const fields = (await text(pid, 'stat')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function descendantsOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/u.test(name)) continue
    const parent = Number((await text(Number(name), 'stat')).split(') ')[1]?.split(' ')[1])
    parents.set(Number(name), parent)
  }
  const isBelow = (process: number | undefined): boolean =>
    process !== undefined && (parents.get(process) === pid || isBelow(parents.get(process)))
  return [...parents.keys()].filter(isBelow)
}

/** Empty for a process that is gone. */
const text = (pid: number, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
const kib = (lines: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(lines)?.[1] ?? 0)
const mib = (size: number): number => Math.round(size / 1024)

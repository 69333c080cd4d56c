import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'

const MAIN = resolve(import.meta.dirname, '../apps/cli/src/septet.mjs')
const TURNS = 21
/** Each program has been run before, as on any machine where it is used. */
const WARM = 2

/** Until a command that asks nobody has printed: what a person waits for before anything is done. */
export const benchmark: Benchmark = {
  name: 'command-line',
  description: `Milliseconds until the command line has started, printed and exited, ${TURNS} times, alternating with node -e 0, after a first use.`,
  run: async () => {
    const load = machineLoad()
    const milliseconds = measured({
      bare: ['-e', '0'],
      help: [MAIN, '--help'],
      operation: [MAIN, 'list', 'workloads', '--help'],
    })
    const baseline = { name: 'node -e 0, median', figure: quantile(milliseconds.bare, 0.5) }
    const figure = (name: string, times: readonly number[]): Figure => ({
      name: `${name}, median`,
      figure: quantile(times, 0.5),
      unit: 'ms',
      baseline,
    })
    return [
      load,
      { ...figure('septet --help', milliseconds.help), aim: '≤ 150 ms' },
      {
        ...figure('septet list workloads --help', milliseconds.operation),
        note: 'reads the schemas of all operations',
      },
    ]
  },
}

/** In turn, so that what else the machine does meets all of them alike. */
function measured<Name extends string>(commands: Readonly<Record<Name, readonly string[]>>): Record<Name, number[]> {
  const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]))
  for (let turn = -WARM; turn < TURNS; turn += 1) {
    for (const [name, words] of Object.entries<readonly string[]>(commands)) {
      const began = performance.now()
      const { status } = spawnSync(process.execPath, [...words])
      if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`)
      if (turn >= 0) times.get(name)?.push(performance.now() - began)
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the commands
  return Object.fromEntries(times) as Record<Name, number[]>
}

import { execFileSync, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

import type { Benchmark } from './benchmark.ts'

/** Its receipt says at which commit everything that takes long was last run, and what passed. */
export const benchmark: Benchmark = {
  name: 'test-long',
  description:
    'Everything that takes long, as `npm run test:long` runs it: every sweep, failure, restart, image and tool of others.',
  onDemand: true,
  run: async () => {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
    const began = performance.now()
    const run = spawn('npm', ['run', 'test:long'], { stdio: ['ignore', 'pipe', 'inherit'] })
    // Seen while it runs: whoever waits for an hour knows how far it is.
    run.stdout.pipe(process.stderr, { end: false })
    const stdout = await text(run.stdout)
    const minutes = (performance.now() - began) / 60_000
    const [, passed, failed] = /^septet: (\d+) passed, (\d+) failed/mu.exec(stdout)?.map(Number) ?? []
    if (passed === undefined || failed === undefined) throw new Error('The run ended without its closing line.')
    return [
      { name: 'tests passed', figure: passed, unit: `of ${passed + failed}`, aim: 'all', note: `commit ${commit}` },
      { name: 'time on the machine below', figure: minutes, unit: 'min', aim: '≤ 60 min' },
    ]
  },
}

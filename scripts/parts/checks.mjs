import { runTool } from './run.mjs'

/** What the machine checks, in order; each takes seconds. */
const CHECKS = [
  ['formatting', 'oxfmt', ['--check', '.'], 'npm run fix'],
  ['types', 'tsc', ['-b'], undefined],
  ['lint', 'oxlint', ['--type-aware', '--quiet'], 'npm run fix'],
  ['layers', 'vitest', ['run', 'test/architecture.test.ts', '--reporter=dot'], undefined],
  ['unused code', 'knip', ['--no-progress'], undefined],
]

/** Runs every check, says what failed, and gives the names of those that did. */
export function runChecks() {
  const failed = []
  for (const [name, tool, args, remedy] of CHECKS) {
    const { ok, seconds } = runTool(tool, args)
    console.log(
      `${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)${ok || !remedy ? '' : `: try \`${remedy}\``}`,
    )
    if (!ok) failed.push(name)
  }
  return failed
}

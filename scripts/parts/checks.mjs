import { runTool } from './run.mjs'

/** What the machine checks, in order; each takes seconds. */
const CHECKS = [
  { name: 'formatting', tool: 'oxfmt', args: ['--check', '.'], remedy: 'npm run fix' },
  { name: 'types', tool: 'tsc', args: ['-b'], remedy: '' },
  { name: 'lint', tool: 'oxlint', args: ['--type-aware', '--quiet'], remedy: 'npm run fix' },
  { name: 'layers', tool: 'vitest', args: ['run', 'test/architecture.test.ts', '--reporter=dot'], remedy: '' },
  { name: 'unused code', tool: 'knip', args: ['--no-progress', '--no-config-hints'], remedy: '' },
]

/** Runs every check, says what failed, and gives the names of those that did. */
export function runChecks() {
  const failed = []
  for (const { name, tool, args, remedy } of CHECKS) {
    const { ok, seconds } = runTool(tool, args)
    console.log(
      `${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)${ok || remedy === '' ? '' : `: try \`${remedy}\``}`,
    )
    if (!ok) failed.push(name)
  }
  return failed
}

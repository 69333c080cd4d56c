import { runToolBeside } from './run.mjs'

/**
 * What the machine checks; each takes seconds. Two rows go on side by side, each in its order: lint reads what the
 * compiler wrote.
 */
const ROWS = [
  [
    { name: 'formatting', tool: 'oxfmt', args: ['--check', '.'], remedy: 'npm run fix' },
    { name: 'types', tool: 'tsc', args: ['-b'], remedy: '' },
    { name: 'lint', tool: 'oxlint', args: ['--type-aware', '--quiet'], remedy: 'npm run fix' },
  ],
  [
    {
      name: 'layers and budget',
      tool: 'vitest',
      args: ['run', 'test/architecture.test.ts', 'test/budget.test.ts', '--reporter=dot'],
      remedy: '',
    },
    { name: 'unused code', tool: 'knip', args: ['--no-progress', '--no-config-hints'], remedy: '' },
  ],
]

/** Runs every check, says what failed, and gives the names of those that did. */
export async function runChecks() {
  return (await Promise.all(ROWS.map(failuresOf))).flat()
}

async function failuresOf(row) {
  const failed = []
  for (const { name, tool, args, remedy } of row) {
    const { ok, printed, seconds } = await runToolBeside(tool, args)
    if (!ok) process.stdout.write(printed)
    console.log(
      `${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)${ok || remedy === '' ? '' : `: try \`${remedy}\``}`,
    )
    if (!ok) failed.push(name)
  }
  return failed
}

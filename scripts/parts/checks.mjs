import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './root.mjs'
import { runToolBeside } from './run.mjs'

/**
 * What the machine checks; each takes seconds. Two rows go on side by side, each in its order: lint reads what the
 * compiler wrote. Each checker of the compiler works out the types it needs anew: four of them, as it starts by itself,
 * take nearly twice the processor time of two.
 */
const rows = (areTestsNext) => [
  [
    { name: 'formatting', tool: 'oxfmt', args: ['--check', '.'], remedy: 'npm run fix' },
    { name: 'types', tool: 'tsc', args: ['-b', '--checkers', '2'], remedy: '' },
    ...lint(),
  ],
  [
    ...(areTestsNext ? [] : [{ name: 'layers and budget', tool: 'vitest', args: LAYERS, remedy: '' }]),
    { name: 'unused code', tool: 'knip', args: ['--no-progress', '--no-config-hints'], remedy: '' },
  ],
]

/** All tests have these among them. */
const LAYERS = ['run', 'test/architecture.test.ts', 'test/budget.test.ts', '--reporter=dot']

/** The rules that need types take ten times as long as all others: they look at what has changed, where all passed before. */
function lint() {
  const check = { name: 'lint', tool: 'oxlint', remedy: 'npm run fix' }
  const changed = changedSinceAllPassed()
  if (changed === undefined) return [{ ...check, args: ['--type-aware', '--quiet'] }]
  const ofChanged = { ...check, name: 'lint by types', args: ['--type-aware', '--quiet', ...changed] }
  return [{ ...check, args: ['--quiet'] }, ...(changed.length === 0 ? [] : [ofChanged])]
}

/** The commit at which every check passed last, in this folder. */
const PASSED = join(root, '.tsbuild/passed-at')
/** A change of these may change what is found in every file. */
const RULES = /(^|\/)(\.oxlintrc\.json|tsconfig[\w.]*\.json|package-lock\.json)$/u

/** Source files that differ from that commit; undefined where there is none, or the rules have changed. */
function changedSinceAllPassed() {
  if (!existsSync(PASSED)) return undefined
  const differing = git('diff', '--name-only', '--diff-filter=d', readFileSync(PASSED, 'utf8'))
  const fresh = git('ls-files', '--others', '--exclude-standard')
  const changed = differing && fresh && [...differing, ...fresh]
  if (changed === undefined || changed.some((file) => RULES.test(file))) return undefined
  return changed.filter((file) => /\.(ts|tsx|mjs)$/u.test(file))
}

/** The lines that git prints; undefined when it fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined
}

/**
 * Runs every check, says what failed, and gives the names of those that did. What is a test itself is left out where all
 * tests come next.
 */
export async function runChecks({ areTestsNext = false } = {}) {
  const [commit] = git('rev-parse', 'HEAD') ?? []
  const failed = (await Promise.all(rows(areTestsNext).map(failuresOf))).flat()
  if (failed.length === 0 && commit !== undefined) writeFileSync(PASSED, commit)
  return failed
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

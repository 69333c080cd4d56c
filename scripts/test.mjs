// `npm test`: every check, and every test of what a commit can break. `--only e2e` runs the end-to-end tests alone;
// `--changed` runs the checks and the tests of files that import what differs from the last commit, `--changed=main` from a
// branch. `--long` (`npm run test:long`) runs what takes long: `*.long.test.ts`, and every sweep in full.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runChecks } from './parts/checks.mjs'
import { closingLines } from './parts/closing-lines.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { node24 } from './parts/node24.mjs'
import { root } from './parts/root.mjs'
import { runBeside, runTool } from './parts/run.mjs'

const onlyE2e = process.argv.includes('e2e')
const isLong = process.argv.includes('--long')
const changed = process.argv.filter((argument) => argument.startsWith('--changed'))
const notRunFile = join(mkdtempSync(join(tmpdir(), 'septet-test-')), 'not-run')
const reportFile = `${notRunFile}.json`

ensureInstalled('everything')
const [failedChecks] = await Promise.all([
  onlyE2e || isLong ? [] : runChecks({ areTestsNext: changed.length === 0 }),
  buildWeb(),
])
const tests = runTool(
  'vitest',
  [
    'run',
    ...projects().map((name) => `--project=${name}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...(changed.length > 0 ? [...changed, '--passWithNoTests'] : []),
    ...(onlyE2e ? ['test/e2e'] : []),
  ],
  { SEPTET_TEST_NOT_RUN: notRunFile },
)
process.exit(
  closingLines({ reportFile, notRunFile, failedChecks, vitestPassed: tests.ok, mayBeNone: changed.length > 0 }),
)

function projects() {
  if (onlyE2e) return ['whole']
  return isLong ? ['long', 'long-whole'] : ['!long', '!long-whole']
}

/** The compiler and the linter leave a core to it. */
async function buildWeb() {
  const { ok, printed } = await runBeside(node24(), [join(root, 'scripts/build.mjs')])
  process.stdout.write(printed)
  if (!ok) process.exit(1)
}

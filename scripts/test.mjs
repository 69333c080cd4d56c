// `npm test`: every check and every test. `--only e2e` runs the end-to-end tests alone.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ensureWebBuilt } from './parts/build-web.mjs'
import { runChecks } from './parts/checks.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { runTool } from './parts/run.mjs'

const onlyE2e = process.argv.includes('e2e')
const notRunFile = join(mkdtempSync(join(tmpdir(), 'septet-test-')), 'not-run')
const reportFile = `${notRunFile}.json`

ensureInstalled('everything')
ensureWebBuilt()
const failedChecks = onlyE2e ? [] : runChecks()
const tests = runTool(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...(onlyE2e ? ['test/e2e'] : [])],
  { SEPTET_TEST_NOT_RUN: notRunFile },
)
conclude()

/** Prints what was not run and the one closing line, and exits non-zero when anything failed. */
function conclude() {
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined
  const notRun = existsSync(notRunFile) ? [...new Set(readFileSync(notRunFile, 'utf8').trim().split('\n'))] : []
  rmSync(join(notRunFile, '..'), { recursive: true, force: true })
  const passed = report?.numPassedTests ?? 0
  const failed = (report?.numFailedTests ?? 0) + failedChecks.length + (tests.ok || report?.numFailedTests ? 0 : 1)
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0)
  if (failedChecks.length > 0) console.log(`Failed checks: ${failedChecks.join(', ')}.`)
  console.log(`septet: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  if (notRun.length > 0) console.log(`Not run: ${notRun.join('; ')}.`)
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
}

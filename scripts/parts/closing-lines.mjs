import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Prints the one closing line that a person or a machine reads, and under it what could not be run here and the command
 * that would add it. Gives the exit code: a run that passed nothing has failed.
 */
export function closingLines({ reportFile, notRunFile, failedChecks, vitestPassed }) {
  const { passed, failed, skipped } = counts(reportFile)
  const notRun = linesOf(notRunFile)
  rmSync(dirname(notRunFile), { recursive: true, force: true })
  // A run can fail without a failed test: an error outside of tests, a file that does not load.
  const unexplained = vitestPassed || failed > 0 ? 0 : 1
  const allFailed = failed + failedChecks.length + unexplained
  if (failedChecks.length > 0) console.log(`Failed checks: ${failedChecks.join(', ')}.`)
  console.log(`septet: ${passed} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  if (notRun.length > 0) console.log(`Not run: ${notRun.join('; ')}.`)
  return allFailed === 0 && passed > 0 ? 0 : 1
}

function counts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0 }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

const linesOf = (file) => (existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))] : [])

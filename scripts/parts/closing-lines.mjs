import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, relative } from 'node:path'

import { root } from './root.mjs'

/** How many files the table of the slowest names. */
const SLOWEST = 12

/**
 * Prints the one closing line that a person or a machine reads, and under it what could not be run here and the command
 * that would add it. Gives the exit code: a run that passed nothing has failed.
 */
export function closingLines({ reportFile, notRunFile, failedChecks, vitestPassed, mayBeNone }) {
  const report = reportIn(reportFile)
  const { passed, failed, skipped } = counts(report)
  const notRun = linesOf(notRunFile)
  rmSync(dirname(notRunFile), { recursive: true, force: true })
  // A run can fail without a failed test: an error outside of tests, a file that does not load.
  const unexplained = vitestPassed || failed > 0 ? 0 : 1
  const allFailed = failed + failedChecks.length + unexplained
  console.log(slowestFiles(report))
  if (failedChecks.length > 0) console.log(`Failed checks: ${failedChecks.join(', ')}.`)
  console.log(`septet: ${passed} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  if (notRun.length > 0) console.log(`Not run: ${notRun.join('; ')}.`)
  return allFailed === 0 && (passed > 0 || mayBeNone) ? 0 : 1
}

const reportIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] })

const counts = ({ numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 }) => ({
  passed: numPassedTests,
  failed: numFailedTests,
  skipped: numPendingTests + numTodoTests,
})

/** Where a run's time went: the files that took longest, with the seconds from their first test to their last. */
function slowestFiles({ testResults }) {
  const files = testResults
    .map(({ name, startTime, endTime, assertionResults }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1000,
      tests: assertionResults.length,
    }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
  const rows = files.map(
    ({ file, seconds, tests }) => `${seconds.toFixed(1).padStart(7)} s ${String(tests).padStart(5)}  ${file}`,
  )
  return ['The slowest files: seconds, tests', ...rows].join('\n')
}

const linesOf = (file) => (existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))] : [])

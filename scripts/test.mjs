// `npm test`: every check and every test. `--only e2e` runs the end-to-end tests alone.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ensureWebBuilt } from './parts/build-web.mjs'
import { runChecks } from './parts/checks.mjs'
import { closingLines } from './parts/closing-lines.mjs'
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
process.exit(closingLines({ reportFile, notRunFile, failedChecks, vitestPassed: tests.ok }))

// `npm run check`: formatting, types, lint, layers, unused code. Nothing is changed.
import { runChecks } from './parts/checks.mjs'
import { ensureInstalled } from './parts/install.mjs'

ensureInstalled('everything')
const failed = await runChecks()
console.log(failed.length === 0 ? 'All checks pass.' : `Failed: ${failed.join(', ')}.`)
process.exit(failed.length === 0 ? 0 : 1)

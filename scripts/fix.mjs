// `npm run fix`: formats, mends what the linter can mend by itself, takes budget.json down to what the
// code holds, and writes the page of figures.
import { ensureInstalled } from './parts/install.mjs'
import { node24 } from './parts/node24.mjs'
import { runBeside, runTool } from './parts/run.mjs'

ensureInstalled('everything')
runTool('oxlint', ['--type-aware', '--fix', '--quiet'])
await runBeside(node24(), ['bench/run.ts', '--lower-budget'])
await runBeside(node24(), ['bench/run.ts', '--figures'])
process.exit(runTool('oxfmt', ['.']).ok ? 0 : 1)

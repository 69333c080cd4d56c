// `npm run fix`: formats, mends what the linter can mend by itself, and takes budget.json down to what the code holds.
import { ensureInstalled } from './parts/install.mjs'
import { node24 } from './parts/node24.mjs'
import { runBeside, runTool } from './parts/run.mjs'

ensureInstalled('everything')
runTool('oxlint', ['--type-aware', '--fix', '--quiet'])
await runBeside(node24(), ['bench/run.ts', '--lower-budget'])
process.exit(runTool('oxfmt', ['.']).ok ? 0 : 1)

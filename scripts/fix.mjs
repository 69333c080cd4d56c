// `npm run fix`: formats, and mends what the linter can mend by itself.
import { ensureInstalled } from './parts/install.mjs'
import { runTool } from './parts/run.mjs'

ensureInstalled('everything')
runTool('oxlint', ['--type-aware', '--fix', '--quiet'])
process.exit(runTool('oxfmt', ['.']).ok ? 0 : 1)

import { configureGlobal } from 'fast-check'

/** Properties are tried on the same draws each time, so that a commit is judged by what it changes. An empty seed draws others. */
const seed = process.env['SEPTET_TEST_SEED'] ?? '1'
if (seed !== '') configureGlobal({ seed: Number(seed) })

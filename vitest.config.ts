import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

// Workers and the processes that tests start take what was compiled once from there; `npm start` has it there too.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

/** Their tests leave nothing behind in the process, so that the files of a worker share what they import. */
const SHARING = [
  'packages/{auth,domain,contract,connectors,plan-files,solver,tools,copilot}/**/*.test.ts',
  'apps/server/**/*.test.ts',
  'apps/cli/**/*.test.ts',
  'bench/**/*.test.ts',
]
/** Some of these start databases, build, or render with one React after another: each file has its own process. */
const APART = ['packages/{storage,simulator}/**/*.test.ts', 'apps/web/**/*.test.{ts,tsx}']
/** Whoever acts, in a time of its own: these compute all the while, so that nobody who waits for a browser runs beside them. */
const ACTING = ['test/act/**/*.test.ts']
/** A whole Septet, its clusters and browsers, as processes of their own. */
const WHOLE = ['test/**/*.test.ts']

export default defineConfig({
  test: {
    // Generous: a slow machine is no failure, and no test asserts a time.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { interval: 50, timeout: 60_000 } },
    // By default one core is left to itself, which is half of a small machine; tests wait as often as they compute.
    maxWorkers: '100%',
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'apart', include: APART } },
      { extends: true, test: { name: 'acting', include: ACTING } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: WHOLE,
          exclude: ACTING,
          globalSetup: 'test/shared/global-setup.ts',
          sequence: { groupOrder: 1 },
          maxWorkers: 4,
          // Browsers, clusters and clocks beside each other on a busy machine: the closing lines name who needed it.
          retry: 1,
        },
      },
    ],
  },
})

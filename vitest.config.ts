import { defineConfig } from 'vitest/config'

/** Their tests leave nothing behind in the process, so that the files of a worker share what they import. */
const SHARING = [
  'packages/{domain,contract,connectors,solver}/**/*.test.ts',
  'apps/server/**/*.test.ts',
  'apps/cli/**/*.test.ts',
]
/** Some of these start databases, build, or render with one React after another: each file has its own process. */
const APART = ['packages/{storage,simulator}/**/*.test.ts', 'apps/web/**/*.test.{ts,tsx}']
/** A whole Septet, its clusters and browsers, as processes of their own. */
const WHOLE = ['test/**/*.test.ts']

export default defineConfig({
  test: {
    // Generous: a slow machine is no failure, and no test asserts a time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { interval: 50, timeout: 20_000 } },
    // By default one core is left to itself, which is half of a small machine; tests wait as often as they compute.
    maxWorkers: '100%',
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'apart', include: APART } },
      { extends: true, test: { name: 'whole', include: WHOLE, sequence: { groupOrder: 1 } } },
    ],
  },
})

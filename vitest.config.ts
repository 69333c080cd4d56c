import { join } from 'node:path'

import { configDefaults, defineConfig } from 'vitest/config'

import { listLicences } from './apps/web/build/list-licences.ts'
import { orderLimits } from './apps/web/build/order-limits.ts'

// Workers and the processes that tests start take what was compiled once from there; `npm start` has it there too.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

/** Their tests leave nothing behind in the process, so that the files of a worker share what they import. */
const SHARING = [
  'packages/{auth,domain,contract,connectors,plan-files,tools,copilot}/**/*.test.ts',
  'apps/server/**/*.test.ts',
  'apps/cli/**/*.test.ts',
  'bench/**/*.test.ts',
]
/** It counts what runs, of all that its process has loaded. */
const COUNTING = 'packages/connectors/src/kubernetes/read-yaml.test.ts'
/** Some of these start databases: each file has its own process. */
const APART = ['packages/{storage,simulator}/**/*.test.ts', COUNTING]
/** What the pages and the site are made of, without a document; the files of a worker share what they import. */
const PAGES = ['apps/web/**/*.test.ts']
/** The screens and their parts in a document without a browser; the files of a worker share what they import. */
const SCREENS = ['apps/web/**/*.test.tsx']
/**
 * Whoever acts, in a time of its own: these compute all the while, so that nobody who waits for a browser runs beside them.
 * The files of a worker share its database server and what they import.
 */
const ACTING = ['test/act/**/*.test.ts']
/** A whole Septet, its clusters and browsers, as processes of their own; the files of a worker share what they import. */
const WHOLE = ['test/**/*.test.ts']
/** Sweeps, failures, restarts, images and tools: `npm run test:long` runs them, `npm test` does not. */
const LONG = ['**/*.long.test.ts']
/** Those of them that wait for browsers and servers: what computes for minutes does not run beside them. */
const LONG_WHOLE = ['test/e2e/**/*.long.test.ts']

const { exclude: NEVER } = configDefaults
const exclude = [...NEVER, ...LONG]
/** Servers that tests start are those that `npm start` does. */
const BUILT = 'test/built.ts'
const SAME_DRAWS = 'test/same-draws.ts'
/** What starts a process in a test, or waits for one. */
const testTimeout = 180_000
/** Sweeps compute for minutes on a quiet machine: this ends what hangs, and not what is slow. */
const LONG_TIMEOUT = 3_600_000
const sharedSeptets = { globalSetup: [BUILT, 'test/shared/global-setup.ts'], maxWorkers: 4, testTimeout }

export default defineConfig({
  test: {
    testTimeout: 60_000,
    // Hooks start databases, clusters and browsers.
    hookTimeout: 180_000,
    expect: { poll: { interval: 50, timeout: 60_000 } },
    // By default one core is left to itself, which is half of a small machine; tests wait as often as they compute.
    maxWorkers: '100%',
    setupFiles: SAME_DRAWS,
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, exclude: [COUNTING, ...exclude], isolate: false } },
      { extends: true, test: { name: 'apart', include: APART, exclude, testTimeout } },
      {
        extends: true,
        plugins: [orderLimits()],
        test: { name: 'pages', include: PAGES, exclude, isolate: false, testTimeout },
      },
      {
        extends: true,
        oxc: { jsx: { runtime: 'automatic', development: false } },
        plugins: [listLicences(import.meta.dirname), orderLimits()],
        test: {
          name: 'screens',
          include: SCREENS,
          exclude,
          isolate: false,
          environment: './apps/web/src/document-environment.fake.ts',
          setupFiles: [SAME_DRAWS, 'apps/web/src/document.fake.ts'],
          // React as people get it, which also takes half the time.
          env: { TZ: 'UTC', NODE_ENV: 'production' },
        },
      },
      {
        extends: true,
        test: { name: 'acting', include: ACTING, exclude, isolate: false, testTimeout, globalSetup: BUILT },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: WHOLE,
          exclude: [...ACTING, ...exclude],
          isolate: false,
          sequence: { groupOrder: 1 },
          ...sharedSeptets,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG,
          exclude: [...LONG_WHOLE, ...NEVER],
          sequence: { groupOrder: 2 },
          ...sharedSeptets,
          maxWorkers: '100%',
          testTimeout: LONG_TIMEOUT,
          env: { SEPTET_TEST_SEED: '' },
        },
      },
      {
        extends: true,
        test: {
          name: 'long-whole',
          include: LONG_WHOLE,
          exclude: NEVER,
          sequence: { groupOrder: 3 },
          ...sharedSeptets,
          maxWorkers: 3,
          testTimeout: LONG_TIMEOUT,
          hookTimeout: 600_000,
          env: { SEPTET_TEST_SEED: '' },
        },
      },
    ],
  },
})

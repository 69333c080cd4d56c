import { defineConfig } from 'vitest/config'

/** Of a browser, a server or a cluster: files that must not share what the one before left in the process. */
const ISOLATED = ['packages/storage/**/*.test.ts', 'packages/simulator/**/*.test.ts', 'apps/**/*.test.{ts,tsx}']

// Generous: a slow machine is no failure, and no test asserts a time.
const patient = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { interval: 50, timeout: 20_000 } },
}

export default defineConfig({
  test: {
    ...patient,
    projects: [
      {
        test: {
          ...patient,
          name: 'pure',
          include: ['packages/**/*.test.ts'],
          exclude: ISOLATED,
          // Functions of their arguments: nothing is left behind, so all files of a worker share what they import.
          isolate: false,
        },
      },
      { test: { ...patient, name: 'parts', include: ISOLATED } },
      { test: { ...patient, name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
  },
})

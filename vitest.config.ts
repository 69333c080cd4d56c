import { defineConfig } from 'vitest/config'

// Generous: a slow machine is no failure, and no test asserts a time.
const patient = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { interval: 50, timeout: 20_000 } },
}

/** Their tests leave nothing behind in the process, so that the files of a worker share what they import. */
const SHARING = ['domain', 'contract', 'connectors', 'solver'].map((name) => `packages/${name}/**/*.test.ts`)

export default defineConfig({
  test: {
    ...patient,
    projects: [
      {
        test: {
          ...patient,
          name: 'parts',
          include: [...SHARING, 'apps/server/**/*.test.ts', 'apps/cli/**/*.test.ts'],
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Some of these start databases, render with one React after another, or build: each file has its own process.
        test: {
          ...patient,
          name: 'parts apart',
          include: ['packages/{storage,simulator}/**/*.test.ts', 'apps/web/**/*.test.{ts,tsx}'],
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        // A whole Septet, its clusters and browsers are processes of their own and keep two cores busy, so that on two
        // of them there is one file at a time, which is what is left out here.
        test: { ...patient, name: 'whole', include: ['test/**/*.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
})

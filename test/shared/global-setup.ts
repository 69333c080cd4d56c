import type { TestProject } from 'vitest/node'

import { openShared, type Shared } from './open-shared.ts'

declare module 'vitest' {
  // What `inject` gives is declared by merging, which an interface alone can.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** Where test files ask for what they share. */
    shared: string
  }
}

let shared: Shared | undefined

/** Runs once, in the process that all test files are run from. */
export async function setup(project: TestProject): Promise<void> {
  // The long run looks at weeks; of what else the tests ask, two days are enough.
  shared = await openShared({ historyDays: project.name === 'long' ? 8 : 2 })
  project.provide('shared', shared.url)
}

export const teardown = async (): Promise<void> => shared?.close()

import type { RunScenario } from '../../operations/scenarios/scenario-service.ts'
import { runInThread } from './run-in-thread.ts'

const PROGRAM = { code: new URL('scenario-main.ts', import.meta.url), name: 'scenario', heapMib: 1024 }

/** Computes a scenario where no answer waits for it. */
export const runScenarioInThread: RunScenario = (question, progress) => runInThread(PROGRAM, question, progress)

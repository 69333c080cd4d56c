import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'

import { expect, test, vi } from 'vitest'

import { openPipelineHost } from './pipeline-host.ts'

/** By thread, as Linux tells it: the 19th field, the 17th after the name in parentheses (proc(5)). */
const priorities = (): readonly number[] =>
  readdirSync('/proc/self/task').map((thread) =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]),
  )

const lower = (all: readonly number[]): number =>
  all.filter((each) => each >= constants.priority.PRIORITY_BELOW_NORMAL).length

test('where cores are few, a pipeline gives way to anyone who answers, who goes as before', async () => {
  const [own, before] = [getPriority(), priorities()]
  const host = openPipelineHost('thread')
  await vi.waitFor(() => expect(lower(priorities())).toBeGreaterThan(lower(before)), { timeout: 30_000, interval: 50 })
  expect(getPriority()).toBe(own)
  host.kill()
  await host.gone
})

import { afterEach, describe, expect, test } from 'vitest'
import { SECONDS_PER_HOUR, instant, planAppointment, seconds, type Appointment } from '@septet/domain'
// Drawn clusters are for tests only, so they are not exported.
import { draw, DRAWN_AT, withRequests } from '@septet/domain/testing'
import { parse } from 'yaml'

import { appointmentFiles } from './appointment-files.ts'
import type { PlanFile } from './plan-file.ts'
import { scriptDirectory, type ScriptDirectory } from './run-script.fixture.ts'

const CLUSTER = withRequests(draw`
  node-a  H100-80GB-HBM3  !team=ml:NoSchedule  [lab/one]
  node-a  H100-80GB-HBM3                       [-]
`)
const START = DRAWN_AT / 1000

function appointed(): Appointment {
  const ask = {
    gpus: 2,
    perNode: 2,
    at: instant((START + 10 * SECONDS_PER_HOUR) * 1000),
    length: seconds(8 * SECONDS_PER_HOUR),
  }
  const answer = planAppointment({ snapshot: CLUSTER, ask, maxDisplaced: 10 })
  if (answer.kind === 'none') throw new Error(answer.because)
  return answer
}

function filesOf(): readonly PlanFile[] {
  const exported = appointmentFiles({ appointment: appointed(), snapshot: CLUSTER })
  if (exported.kind === 'refused') throw new Error(exported.because.join(' '))
  return exported.files
}

let directory: ScriptDirectory
afterEach(() => directory.remove())

const GONE = { '"get pod one"*': 'cat $S/uid 2>/dev/null || printf lab/one', '"create --raw"*': 'printf "" > $S/uid' }

describe('the files of an appointment', () => {
  test('close the nodes at once, evict when it is due, open them when it is over, and each only then', async () => {
    directory = scriptDirectory(filesOf())
    const at = async (hours: number) => {
      const { code, out, calls } = await directory.run('commands.sh', GONE, START + hours * SECONDS_PER_HOUR)
      return { code, out, verbs: calls.map((call) => call.split(' ').slice(0, 2).join(' ')) }
    }
    const begun = await at(0)
    expect(begun).toMatchObject({ code: 0, verbs: ['cordon node-a'] })
    expect(begun.out).toContain('due at 2026-01-01T09:49:30.000Z. Run this again then.')
    const evicted = await at(9.9)
    expect(evicted.code).toBe(0)
    expect(evicted.verbs).toContain('create --raw')
    expect(evicted.verbs).not.toContain('uncordon node-a')
    const over = await at(18)
    expect(over.verbs.at(-1)).toBe('uncordon node-a')
    expect(over.verbs.filter((verb) => verb === 'create --raw')).toHaveLength(1)
  })

  test('call it off by opening what was closed', async () => {
    directory = scriptDirectory(filesOf())
    const { code, calls } = await directory.run('undo/commands.sh', {})
    expect({ code, calls }).toEqual({ code: 0, calls: ['uncordon node-a'] })
  })

  test('say what lets the work in: the cordon and the taints of these nodes, and the nodes by name', () => {
    directory = scriptDirectory(filesOf())
    expect(parse(directory.read('let-in.yaml'))).toMatchObject({
      tolerations: [
        { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'team', effect: 'NoSchedule' },
      ],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-a'] }] }],
          },
        },
      },
    })
    expect(directory.read('PLAN.md')).toContain('| # | Due | Step |')
  })
})

import { OPERATIONS } from '@septet/contract'
import { instant, type Alert, type Store, type Caller } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { draw } from '@septet/domain/testing'
import { ADMIN } from '../answering/admin-caller.fixture.ts'
import { alertAnswers } from './alerts.ts'
import type { AlertService } from './alert-service.ts'
import { answering, type Answers, type Implemented } from '../answering/answering.ts'
import { SAMPLE_ANSWERS } from '../sample/sample-answers.ts'
import { openAudited } from '../answering/audited.ts'
import { factsOf } from '../answering/facts.fixture.ts'

const NOW = Date.UTC(2026, 10, 17, 9)
const facts = factsOf(draw`node-a  A100-SXM4-80GB  [7g.80gb train-1]`, [])
const LIMITED: Caller = { ...ADMIN, role: 'operator', namespaces: ['lab'] }

const alert = (id: string, rest: Partial<Alert> = {}): Alert => ({
  id,
  cluster: 'drawn',
  kind: 'idle-held',
  fingerprint: id,
  object: `workload/lab/Job/${id}`,
  namespace: 'lab',
  severity: 'warning',
  status: 'firing',
  since: instant(NOW),
  firedAt: instant(NOW),
  resolvedAt: undefined,
  clearSince: undefined,
  seenAt: instant(NOW),
  title: id,
  message: id,
  advice: id,
  figure: { value: 9, threshold: 8, unit: 'hours', coverage: undefined },
  ending: undefined,
  told: { firing: undefined, resolved: undefined },
  acknowledgement: undefined,
  silence: undefined,
  ...rest,
})

let store: Store
let answers: Answers
let reconsidered = 0
beforeEach(async () => {
  store = await openTestStore()
  reconsidered = 0
  const service = { reconsider: () => (reconsidered += 1), keepsMails: true } as Partial<AlertService> as AlertService
  const audited = openAudited(
    async () => undefined,
    () => NOW,
  )
  const answer = answering({ facts: { clusters: () => [facts] }, audited, sample: SAMPLE_ANSWERS })
  answers = answer(alertAnswers({ store, alerts: service, now: () => NOW }) as Partial<Implemented> as Implemented)
  await store.alerts.write(
    [
      alert('mine'),
      alert('theirs', { namespace: 'hidden', object: 'workload/hidden/Job/theirs' }),
      alert('nobodys', { namespace: undefined, kind: 'xid', object: 'gpu/1' }),
      alert('over', { status: 'resolved', resolvedAt: instant(NOW) }),
      alert('elsewhere', { cluster: 'another' }),
    ],
    [],
  )
})
const list = async (caller: Caller, input: object = {}) =>
  OPERATIONS.alertsList.output.parse(await answers.alertsList(input, caller))

describe('alerts', () => {
  test('of a cluster are told apart: what fires, what is over', async () => {
    const { firing, history, total } = await list(ADMIN)
    expect(firing.map(({ id }) => id).toSorted()).toEqual(['mine', 'nobodys', 'theirs'])
    expect([total, history.map(({ id }) => id)]).toEqual([3, ['over']])
    const cut = await list(ADMIN, { limit: 1, kind: 'idle-held' })
    expect([cut.total, cut.firing.length]).toEqual([2, 1])
  })

  test('of namespaces alone are told to a caller who is limited to these', async () => {
    expect((await list(LIMITED)).firing.map(({ id }) => id)).toEqual(['mine'])
    expect(JSON.stringify(await list(LIMITED))).not.toContain('hidden')
    expect((await list({ ...LIMITED, namespaces: [] })).firing).toEqual([])
  })

  test('sample data says why it has none', async () => {
    expect(await list(ADMIN, { cluster: 'sample' })).toMatchObject({ total: 0, note: expect.stringContaining('fixed') })
  })

  test('are acknowledged and silenced with a reason, and neither by those who do not see them', async () => {
    const reason = 'known since Monday'
    await answers.alertsAcknowledge({ id: 'mine', reason }, LIMITED)
    await answers.alertsSilence({ id: 'mine', reason, minutes: 60 }, LIMITED)
    const by = { by: LIMITED.name, reason, at: new Date(NOW).toISOString() }
    const until = new Date(NOW + 3_600_000).toISOString()
    expect((await list(LIMITED)).firing[0]).toMatchObject({ acknowledgement: by, silence: { ...by, until } })
    expect(reconsidered).toBe(1)
    for (const id of ['theirs', 'nobodys', 'elsewhere', 'none']) {
      await expect(answers.alertsAcknowledge({ id, reason }, LIMITED)).rejects.toMatchObject({ code: 'not-found' })
    }
    await answers.alertsSilence({ id: 'mine', reason, minutes: 0 }, LIMITED)
    await answers.alertsAcknowledge({ id: 'mine', reason, on: false }, LIMITED)
    expect((await list(LIMITED)).firing[0]).toMatchObject({ acknowledgement: null, silence: null })
  })
})

test('rules come as they were set, and name only channels that are there', async () => {
  const { rules } = OPERATIONS.alertRulesGet.output.parse(await answers.alertRulesGet({}, ADMIN))
  const changed = { ...rules, xid: { ...rules.xid, channels: ['nowhere'] } }
  await expect(answers.alertRulesPut({ rules: changed }, ADMIN)).rejects.toThrow('no channel "nowhere"')
  await answers.alertRulesPut({ rules: { ...rules, xid: { ...rules.xid, enabled: false } } }, ADMIN)
  expect(await answers.alertRulesGet({}, ADMIN)).toMatchObject({
    rules: { xid: { enabled: false }, budget: rules.budget },
  })
})

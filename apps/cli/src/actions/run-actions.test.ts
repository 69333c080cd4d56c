import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { actionsGet, ActionView, FiguresOf, OutputOf, savingsList, shadowGet } from '@septet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { UsageError } from '../options/command-options.ts'
import { runActions, type ActionsNeeds } from './run-actions.ts'

const DIGEST = '3fa912cd'.padEnd(64, '0')

const WISH = { kind: 'wish', wants: '8 GPUs for lab tomorrow', costs: '4.0 GPU-hours sit idle.' } as const
const ACTION: ActionView = {
  id: 'action-cut',
  class: 'repartition',
  object: 'node/gpu-b',
  title: 'Repartition 2 GPUs on gpu-b',
  state: 'proposed',
  because: '3 pods that wait would start.',
  since: '2026-11-20T10:37:30Z',
  until: '2026-11-21T10:37:30Z',
  digest: DIGEST,
  proposedAt: '2026-11-20T10:37:30Z',
  proposedBy: 'ada@example.com',
  approvedBy: null,
  cause: {
    kind: 'advice',
    recommendation: 'repartition-1',
    saving: {
      kind: 'estimated',
      gpuHoursPerMonth: 730,
      usdPerMonth: 2190,
      usdPerGpuHour: 3,
      priceSource: 'a list',
      effect: 'capacity-freed',
    },
  },
  shortfall: null,
  displaced: ['search/api-7p6l5'],
  nodes: ['gpu-b'],
  step: null,
  halfChanged: false,
  may: { approve: true, reject: true, undo: false },
}
const ANSWERED = { source: { id: 'demo', name: 'Demo cluster', kind: 'demo' as const }, asOf: null, window: null }
const STEP = { effect: '', displaced: [], seconds: { low: 1, high: 120, source: 'assumed' }, state: 'to-do' as const }
const DETAIL: OutputOf<typeof actionsGet> = {
  outlook: { refused: null, waits: null },
  ...ANSWERED,
  action: ACTION,
  undo: { stops: null, unknown: null, stopped: [] },
  steps: [
    { ...STEP, number: 1, title: 'Cordon gpu-b', undo: ['Uncordon gpu-b'] },
    { ...STEP, number: 2, title: 'Evict search/api-7p6l5', undo: [] },
  ],
  transitions: [
    {
      number: 1,
      at: ACTION.since,
      state: 'proposed',
      by: 'ada@example.com',
      because: ACTION.because,
      step: null,
      evidence: [
        { kind: 'recommendation', id: 'repartition-1', window: null, says: 'recommendation' },
        { kind: 'node', id: 'gpu-b', window: null, says: 'gpu-b' },
      ],
    },
  ],
  rehearsals: [],
  writes: [],
}
const STOP = { everywhere: true, at: '2026-11-20T10:40:00Z', by: 'token:pipeline', because: 'Incident 12' }

const SAVING = {
  action: 'action-vllm',
  title: 'Stop ml/vllm',
  class: 'reclaim-idle',
  object: 'workload/ml/Deployment/vllm',
  appliedAt: '2026-11-01T00:00:00Z',
  effect: 'capacity-freed',
  state: 'verified',
  because: 'It saves what was estimated.',
  estimate: { gpuHoursPerMonth: 292, usdPerMonth: 584 },
  realized: {
    window: { from: '2026-11-01T00:00:00Z', to: '2026-11-15T00:00:00Z' },
    basis: 'held',
    work: null,
    gpuHours: { value: 134, low: 120, high: 148 },
    usd: { value: 268, low: 240, high: 296 },
    knownHours: 335,
    unknownHours: 1,
    promised: { gpuHours: 134, usd: 268 },
  },
  price: { usdPerGpuHour: 2, source: 'a contract' },
} as const
const SAVINGS: FiguresOf<typeof savingsList> = {
  ...ANSWERED,
  savings: [SAVING, { ...SAVING, action: 'action-api', state: 'approved', realized: null, appliedAt: null }],
  ledger: {
    billReduced: { realized: null, estimated: null },
    capacityFreed: {
      realized: { ...SAVING.realized, runs: 1, unpriced: 0 },
      estimated: { runs: 1, gpuHoursPerMonth: 292, usdPerMonth: null, unpriced: 1 },
    },
  },
}

const NO_OUTCOMES = {
  'came-back-at-once': 0,
  'too-little-memory': 0,
  'too-little-compute': 0,
  'no-room': 0,
  'came-back-later': 0,
  ended: 0,
  'still-idle': 0,
  'held-up': 0,
  'not-known': 0,
}
const SHADOW: OutputOf<typeof shadowGet> = {
  ...ANSWERED,
  state: 'ready',
  days: 30,
  done: 1,
  problem: null,
  notReplayed: [{ class: 'repartition', because: 'Repartition is not replayed.' }],
  notes: ['The bill stays the same.'],
  result: {
    class: 'reclaim-idle',
    effect: 'capacity-freed',
    of: 'workload',
    says: 'In the last 8 days Septet would have stopped 1 workload, freed 12 GPU-hours ($24.0), and been wrong once.',
    recorded: { from: '2026-11-12T00:00:00Z', to: '2026-11-20T00:00:00Z' },
    objects: { replayed: 5, leftOut: 0 },
    actions: [
      {
        object: 'workload/lab/Deployment/chat',
        title: 'Scale lab/chat to 0 until it is needed',
        message: 'It holds 1 GPU.',
        rule: { name: 'reclaim-idle', version: 1 },
        proposedAt: '2026-11-13T00:00:00Z',
        doneAt: '2026-11-14T01:00:00.000Z',
        pods: 1,
        gpus: 1,
        nodes: ['gpu-b'],
        confidence: 0.5,
        evidence: {
          query: '',
          window: { from: '2026-11-12T00:00:00Z', to: '2026-11-13T00:00:00Z' },
          samples: 24,
          coverage: 1,
          figures: {},
        },
        outcome: {
          kind: 'came-back-at-once',
          isWrong: true,
          at: '2026-11-14T01:00:00Z',
          says: 'Wrong: it worked again within the hour.',
        },
        freed: { gpuHours: 12, usd: 24, unpricedGpuHours: 0, unknownHours: 0 },
      },
    ],
    withdrawn: 2,
    heldBack: [{ code: 'protected-namespace', objects: 3, because: 'It is protected.' }],
    totals: {
      gpuHours: 12,
      usd: 24,
      unpricedGpuHours: 0,
      unknownHours: 0,
      objects: 1,
      wrong: 1,
      outcomes: { ...NO_OUTCOMES, 'came-back-at-once': 1 },
    },
    digest: DIGEST,
  },
}
let replaying = 0

let server: Server
let address: string
let digest = DIGEST
/** Whether it is unknown which pods an undo would stop. */
let unsure = false
const heard: string[] = []

const SHORT = 'The appointment is short: 7 of 8 GPUs on 1 node are free. gpu-b has 7 of 8 free: lab/x holds GPUs there.'

const SENT = {
  number: 1,
  at: '2026-11-20T10:40:00Z',
  step: 1,
  isUndo: false,
  what: 'patch nodes gpu-b',
  says: 'Cordon gpu-b',
  outcome: { kind: 'done', because: '' },
  evidence: [{ kind: 'step', id: '1', window: null, says: 'step 1' }],
}

const ANSWERS: Readonly<Record<string, (body: string) => object>> = {
  'GET /api/v1/actions': () => ({
    ...ANSWERED,
    says: [{ text: 'Septet may change Demo cluster.', cites: [{ ref: 'x' }] }],
    acting: { state: 'ready', because: 'Septet may change Demo cluster.', stops: [] },
    actions: [
      { ...ACTION, state: 'applying', step: { number: 2, of: 5 } },
      { ...ACTION, id: 'action-kept-free', cause: WISH },
    ],
  }),
  'GET /api/v1/actions/action-cut': () => DETAIL,
  'GET /api/v1/actions/action-short': () => ({
    ...DETAIL,
    action: { ...ACTION, id: 'action-short', state: 'applying', step: { number: 4, of: 5 }, shortfall: SHORT },
    rehearsals: [SENT],
    writes: [{ ...SENT, number: 2, at: '2026-11-20T10:41:00Z' }],
  }),
  'GET /api/v1/actions/action-cut/files': () => ({
    ...ANSWERED,
    files: [
      { path: 'PLAN.md', text: '# Repartition 2 GPUs' },
      { path: 'branch/README.md', text: '# Apply this change' },
    ],
  }),
  'GET /api/v1/savings': () => ({ ...SAVINGS, says: [{ text: 'Capacity freed: $268.', cites: [{ ref: 'x' }] }] }),
  'GET /api/v1/shadow': () => {
    replaying -= 1
    return replaying >= 0 ? { ...SHADOW, state: 'computing', result: null } : SHADOW
  },
  'PUT /api/v1/actions/action-cut/approval': (body) =>
    body.includes(digest) ? { ...ACTION, state: 'approved', because: 'token:pipeline approved it.' } : refusal(),
  'GET /api/v1/actions/action-small': () => ({
    ...DETAIL,
    outlook: { refused: 'It saves $12.00 a month; the minimum is $50.00.', waits: null },
  }),
  'GET /api/v1/actions/action-later': () => ({
    ...DETAIL,
    outlook: { refused: null, waits: 'No maintenance window is open.' },
  }),
  'GET /api/v1/actions/action-kept-free': () => ({
    ...DETAIL,
    action: {
      ...ACTION,
      class: 'appointment',
      cause: WISH,
    },
  }),
  'PUT /api/v1/actions/action-small/approval': () => ({ ...refusal(), detail: 'It saves $12.00 a month.' }),
  'PUT /api/v1/actions/action-cut/rejection': () => ({ ...ACTION, state: 'rejected', because: 'Not now' }),
  'GET /api/v1/actions/action-kept': () => ({
    ...DETAIL,
    action: { ...ACTION, state: 'kept', may: { approve: false, reject: false, undo: true } },
    undo: {
      stops: unsure ? null : ['lab/new-1', 'lab/new-2'],
      unknown: unsure ? 'gpu-b is unsure.' : null,
      stopped: [],
    },
  }),
  'PUT /api/v1/actions/action-kept/undo': () => ({ ...ACTION, state: 'reverting', because: 'Latency rose' }),
  'PUT /api/v1/actions/action-cut/undo': () => ({ ...ACTION, state: 'reverting', because: 'Latency rose' }),
  'PUT /api/v1/acting/stop': () => ({ stops: [STOP] }),
  'DELETE /api/v1/acting/stop': () => ({ stops: [] }),
}
const refusal = () => ({
  type: '/api',
  title: 'Not valid',
  status: 400,
  code: 'invalid-input',
  detail: 'It was not approved: the digest is of another plan.',
  todo: 'Look at the steps again.',
})

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`.trim())
      const answer = ANSWERS[`${request.method} ${request.url?.split('?')[0]}`]?.(body) ?? {}
      response.statusCode = 'status' in answer ? 400 : 200
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  digest = DIGEST
  unsure = false
  heard.length = 0
})

const septet = (args: string[], needs: Partial<ActionsNeeds> = {}): Promise<string> =>
  runActions(args, {
    environment: { SEPTET_SERVER: address, SEPTET_TOKEN: 'spt_op', XDG_CONFIG_HOME: '/nowhere' },
    program: 'septet',
    readText: async () => '',
    screen: { width: undefined, print: async () => undefined, enough: new AbortController().signal },
    confirm: undefined,
    ...needs,
  })

const asked = () => Promise.reject(new Error('somebody was asked'))

describe('septet actions', () => {
  test('list says whether Septet may act, and where each action stands', async () => {
    const text = await septet(['list', '--cluster', 'demo', '--open'])
    expect(heard).toEqual(['GET /api/v1/actions?cluster=demo&state=open Bearer spt_op'])
    expect(text).toContain('Septet may change Demo cluster.\n')
    expect(text).toMatch(
      /action-cut\s+applying\s+2026-11-20 10:37Z\s+search\/api-7p6l5\s+\$2,190\/mo of capacity freed, estimated\s+Repartition 2 GPUs on gpu-b/u,
    )
    expect(text).toMatch(/action-kept-free\s+proposed.*8 GPUs for lab tomorrow/u)
    expect(JSON.parse(await septet(['list', '--json']))).toMatchObject({ actions: [{ id: 'action-cut' }, {}] })
  })

  test('show has the steps with the way back of each, what happened and what was written', async () => {
    const text = await septet(['show', 'action-cut'])
    expect(text).toMatch(new RegExp(`Action digest +${DIGEST}`, 'u'))
    expect(text).toMatch(/Action displaced +search\/api-7p6l5/u)
    expect(text).toMatch(/1 +Cordon gpu-b +1 +120 +assumed +Uncordon gpu-b +to-do/u)
    expect(text).toMatch(/proposed +ada@example.com +3 pods that wait would start\./u)
    expect(text).toMatch(/Writes +none/u)
  })

  test('show says what an appointment is short of, who holds it, and tells dry runs from writes', async () => {
    const text = await septet(['show', 'action-short'])
    expect(text).toContain(SHORT)
    expect(text).toMatch(/Rehearsals:\n.*\n.*\n +1 +2026-11-20 10:40Z +1 +no +patch nodes gpu-b/u)
    expect(text).toMatch(/Writes:\n.*\n.*\n +2 +2026-11-20 10:41Z +1 +no +patch nodes gpu-b/u)
  })

  test('files writes the directory of an action, and needs one to write to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'septet-files-'))
    try {
      const text = await septet(['files', 'action-cut', '--out', join(folder, 'change')])
      expect(text).toContain('2 files are in')
      expect(readFileSync(join(folder, 'change', 'branch', 'README.md'), 'utf8')).toBe('# Apply this change')
      await expect(septet(['files', 'action-cut'])).rejects.toThrow('files needs a directory: --out DIR.')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('savings has what was promised beside what was measured, bill and capacity apart', async () => {
    const text = await septet(['savings', '--cluster', 'demo', '--range', 'last-month'])
    expect(heard).toEqual(['GET /api/v1/savings?cluster=demo&range=last-month Bearer spt_op'])
    expect(text).toMatch(/^Capacity freed: \$268\.\n\n/u)
    expect(text).toMatch(
      /action-vllm\s+verified\s+capacity-freed\s+584\s+\$268 \(\$240 to \$296\)\s+134 GPU-h \(120 to 148 GPU-h\)\s+It saves/u,
    )
    expect(text).toMatch(/action-api\s+approved\s+capacity-freed\s+584\s+–\s+–\s+It saves/u)
  })

  test('shadow waits until the past is replayed, and has each stop with what came after', async () => {
    replaying = 1
    const text = await septet(['shadow', '--cluster', 'demo', '--days', '30'])
    expect(heard).toEqual(Array<string>(2).fill('GET /api/v1/shadow?cluster=demo&days=30 Bearer spt_op'))
    for (const words of [
      'would have stopped 1 workload, freed 12 GPU-hours ($24.0), and been wrong once.',
      'The bill stays the same.',
      DIGEST,
    ])
      expect(text).toContain(words)
    expect(text).toMatch(/protected-namespace +3 +It is protected\./u)
    expect(text).toMatch(/repartition +Repartition is not replayed\./u)
    expect(text).toContain('Wrong: it worked again within the hour.')
    expect(JSON.parse(await septet(['shadow', '--json']))).toMatchObject({ result: { digest: DIGEST } })
    heard.length = 0
    await septet(['shadow', '--class', 'remove-node', '--range', 'last-month'])
    expect(heard).toEqual(['GET /api/v1/shadow?class=remove-node&range=last-month Bearer spt_op'])
  })

  test('approve shows the plan, asks, and sends the digest of what it showed', async () => {
    let shown = ''
    const confirm = async (text: string): Promise<boolean> => {
      shown = text
      return true
    }
    const text = await septet(['approve', 'action-cut'], { confirm })
    expect(shown).toContain('1. Cordon gpu-b')
    expect(shown).toContain(DIGEST)
    expect(text).toMatch(/State +approved\nBecause +token:pipeline approved it\./u)
    expect(heard.at(-1)).toBe(
      `PUT /api/v1/actions/action-cut/approval Bearer spt_op ${JSON.stringify({ digest: DIGEST })}`,
    )
  })

  test('what would fail says why, and approve asks nobody about it; what only waits says for what', async () => {
    expect(await septet(['show', 'action-small'])).toMatch(/Outlook refused +It saves \$12\.00 a month; the minimum/u)
    await expect(septet(['approve', 'action-small'], { confirm: asked })).rejects.toThrow('It saves $12.00 a month.')
    let shown = ''
    const confirm = async (text: string): Promise<boolean> => {
      shown = text
      return false
    }
    await expect(septet(['approve', 'action-later'], { confirm })).rejects.toThrow('Not approved.')
    expect(shown).toContain('Once approved, it waits. No maintenance window is open.')
  })

  test('approve says of what a person asked for who asked for what, and at which cost', async () => {
    let shown = ''
    const confirm = async (text: string): Promise<boolean> => {
      shown = text
      return false
    }
    await expect(septet(['approve', 'action-kept-free'], { confirm })).rejects.toThrow('Not approved.')
    expect(shown).toContain(`Asked   8 GPUs for lab tomorrow, by ${ACTION.proposedBy}`)
    expect(shown).toContain('Costs   4.0 GPU-hours sit idle.')
    expect(shown).not.toContain('Saving')
  })

  test('approve sends nothing after a no, and nothing where nobody can be asked', async () => {
    await expect(septet(['approve', 'action-cut'], { confirm: async () => false })).rejects.toThrow('Not approved.')
    await expect(septet(['approve', 'action-cut'])).rejects.toThrow(UsageError)
    expect(heard.filter((line) => line.startsWith('PUT'))).toEqual([])
    expect(await septet(['approve', 'action-cut', '--yes'])).toMatch(/State +approved/u)
  })

  test('a plan that has changed since it was shown is refused in the words of the server', async () => {
    const refused = 'It was not approved: the digest is of another plan. Look at the steps again.'
    const seen = 'beef'.padEnd(64, '1')
    await expect(septet(['approve', 'action-cut', '--yes', '--digest', seen])).rejects.toThrow(refused)
    expect(heard.at(-1)).toContain(seen)
    digest = 'another'
    await expect(septet(['approve', 'action-cut', '--yes'])).rejects.toThrow(refused)
  })

  test('reject, undo, stop and resume say what holds then', async () => {
    expect(await septet(['reject', 'action-cut', '--reason', 'Not now'])).toMatch(/State +rejected\nBecause +Not now/u)
    expect(heard.at(-1)).toContain('{"reason":"Not now"}')
    expect(await septet(['undo', 'action-cut', '--reason', 'Latency rose'])).toMatch(
      /State +reverting\nBecause +Latency rose/u,
    )
    expect(await septet(['stop', '--everywhere', '--reason', 'Incident 12'])).toMatch(
      /yes +2026-11-20 10:40Z +token:pipeline +Incident 12/u,
    )
    expect(heard.at(-1)).toContain('PUT /api/v1/acting/stop Bearer spt_op {"everywhere":true,"reason":"Incident 12"}')
    expect(await septet(['resume', '--everywhere'])).toMatch(/Stops: none\./u)
    expect(heard.at(-1)).toBe('DELETE /api/v1/acting/stop?everywhere=true Bearer spt_op')
  })

  test('undo names the pods that it stops, and asks first where somebody can be asked', async () => {
    const undo = ['undo', 'action-kept', '--reason', 'Latency rose']
    expect(await septet(undo)).toMatch(/^Undo would stop 2 pods: lab\/new-1, lab\/new-2\.\n[^]*State +reverting/u)
    let shown = ''
    const no = async (text: string, question: string): Promise<boolean> => {
      shown = `${text}${question}`
      return false
    }
    await expect(septet(undo, { confirm: no })).rejects.toThrow('Not undone. Nothing was changed.')
    expect(heard.at(-1)).toMatch(/^GET /u)
    expect(shown).toContain('Undo would stop 2 pods: lab/new-1, lab/new-2.\nUndo it?')
    expect(await septet([...undo, '--yes'], { confirm: no })).toMatch(/State +reverting/u)
    unsure = true
    await expect(septet(undo, { confirm: no })).rejects.toThrow('Not undone.')
    expect(shown).toContain('It is unknown which pods an undo would stop. gpu-b is unsure.')
  })

  test.each([
    [[], 'A command is missing.'],
    [['dance'], 'COMMAND is "dance" but must be one of files, approve, undo, list'],
    [['show'], 'Missing: ID.'],
    [['approve'], 'approve takes the id of one action.'],
    [['list', 'action-cut'], '"action-cut" is not understood'],
    [['undo', 'action-cut'], 'undo needs a --reason.'],
    [['shadow', '--class', 'repartition'], '--class: must be one of "reclaim-idle"'],
    [['shadow', '--days', '0'], '--days: '],
    [['stop', '--reason', ' '], 'REASON: must have at least 3'],
    [['list', '--colour', 'x'], '--colour'],
  ])('%j is not understood, and says why', async (args, words) => {
    await expect(septet(args)).rejects.toThrow(UsageError)
    await expect(septet(args)).rejects.toThrow(words)
    expect(heard).toEqual([])
  })

  test('needs a server, and has help', async () => {
    const nowhere = { environment: { XDG_CONFIG_HOME: '/nowhere' } }
    await expect(septet(['approve', 'action-cut'], nowhere)).rejects.toThrow('Name the Septet to ask')
    await expect(septet(['list', '--server', 'septet'])).rejects.toThrow('must be an http:// or https:// URL')
    expect(await septet(['--help'])).toContain('approve ID')
    expect(await septet(['undo', '--help'])).toContain('approve ID')
    expect(await septet(['list', '--help'])).toContain('septet list actions')
  })
})

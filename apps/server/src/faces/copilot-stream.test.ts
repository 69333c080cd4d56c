import { COPILOT_STREAM_PATH, OPERATIONS } from '@septet/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openScriptedModel, type ScriptedModel } from '../copilot/scripted-model.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

let model: ScriptedModel
let septet: TestSeptet
let ann: { authorization: string }

beforeAll(async () => {
  model = await openScriptedModel()
  septet = await openTestSeptet({
    environment: {
      SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local',
      SEPTET_COPILOT_URL: model.url,
      SEPTET_COPILOT_MODEL: 'scripted',
      SEPTET_COPILOT_KEY: 'sk-never-shown',
      SEPTET_COPILOT_MASK: 'off',
    },
  })
  ann = await septet.signIn('ann@septet.local')
})
afterAll(async () => {
  await septet.close()
  await model.close()
})

const ask = (
  question: string,
  { headers, signal }: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(`${septet.url}${COPILOT_STREAM_PATH}`, {
    method: 'POST',
    body: JSON.stringify({ question, cluster: 'production' }),
    ...(signal === undefined ? {} : { signal }),
    headers: { 'content-type': 'application/json', ...ann, ...headers },
  })

type Heard = { readonly event: string; readonly data: unknown }
const heardIn = (text: string): readonly Heard[] =>
  [...text.matchAll(/^event: (\w+)\ndata: (.+)$/gmu)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }))

const GPUS = 'There is {{r1.capacity.gpus}}. '
const NODES = 'There is {{r1.capacity.nodes}}.'
const ONE_GPU = /^There is 1 \(capacity gpus in /u
const SUMMARY = { call: [{ name: 'fleet_summary', args: '{"cluster":"production"}' }] }

describe('asking the co-pilot as a stream', () => {
  test('gives checked sentences as they come, then the whole answer, which is kept', async () => {
    model.play(SUMMARY, { say: [GPUS, 'There are 40 GPUs. ', NODES] }, { say: ['There are 40 GPUs.'] })
    const response = await ask('Is the fleet in good shape?')
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/u)
    const heard = heardIn(await response.text())
    expect(heard.map(({ event }) => event)).toEqual(['sentence', 'sentence', 'answer'])
    expect(heard[0]?.data).toEqual({ text: expect.stringMatching(ONE_GPU) })
    const answer = OPERATIONS.copilotAsk.output.parse(heard.at(-1)?.data)
    expect(answer).toMatchObject({ engine: { kind: 'model', name: 'scripted' }, dropped: 1 })
    const history = await fetch(`${septet.url}/api/v1/copilot/history`, { headers: ann })
    expect(await history.json()).toMatchObject({ answers: [{ id: answer.id }] })
  })

  test('the first sentence comes while the model still speaks', async () => {
    model.play(SUMMARY, { hang: GPUS })
    const gone = new AbortController()
    const response = await ask('Is the fleet in good shape?', { signal: gone.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('There is 1 (capacity gpus')
    gone.abort()
  })

  test('a visitor’s fixed question, here of what was not measured, is answered without the model, as one event, and no other one', async () => {
    model.play({ status: 500 })
    const response = await fetch(`${septet.url}${COPILOT_STREAM_PATH}`, {
      method: 'POST',
      body: JSON.stringify({ question: 'Tell me how busy we are.', cluster: 'demo' }),
      headers: { 'content-type': 'application/json' },
    })
    const heard = heardIn(await response.text())
    expect(heard).toMatchObject([{ event: 'answer', data: { engine: { kind: 'rules' }, verdict: 'cannot' } }])
    const fixed = heardIn(await (await ask('Are our GPUs busy enough?')).text())
    expect(fixed).toMatchObject([{ event: 'answer', data: { engine: { kind: 'rules' }, verdict: 'cannot' } }])
    expect(model.asked).toEqual([])
  })

  test('what is refused is a problem document', async () => {
    const response = await ask('')
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json; charset=utf-8',
    ])
    const stranger = await ask('How many?', { headers: { authorization: 'Bearer spt_nobody' } })
    expect(stranger.status).toBe(401)
  })

  test('Settings tells the model and its host, and nothing tells the key', async () => {
    const agents = await (await fetch(`${septet.url}/api/v1/agents`, { headers: ann })).text()
    expect(JSON.parse(agents)).toMatchObject({
      copilot: { kind: 'model', name: 'scripted', host: new URL(model.url).host, isMasked: false },
    })
    expect(agents).not.toContain('sk-never-shown')
  })
})

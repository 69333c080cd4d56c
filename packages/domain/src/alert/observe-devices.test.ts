import { describe, expect, test } from 'vitest'

import type { JudgedSample } from '../analyze/sample.ts'
import { draw } from '../cluster/draw.fixture.ts'
import { instant, MINUTE_MS } from '../units.ts'
import { evidence, NOW, verdicts } from './drawn-evidence.fixture.ts'
import type { AlertEvidence } from './observation.ts'
import { observe } from './observe.ts'

const missing = (change: Partial<AlertEvidence>) => observe(evidence(change), 'telemetry-missing')

const PICTURE = draw`
  a  A100-SXM4-80GB  [lab/train]
  b  A100-SXM4-80GB  [-]`
/** A day at whose end these nodes gave no sample. */
const silent = (silentNodes: readonly string[] | undefined): AlertEvidence['day'] =>
  ({ quality: { silentNodes } }) as unknown as AlertEvidence['day']
const target = (node: string | undefined, kind: 'up' | 'down', detail = '') => ({
  target: `http://${node ?? 'engine'}:9400`,
  kind,
  detail,
  node,
  lastSeen: NOW,
})

describe('where no measurements come from', () => {
  test('is each silent node that has GPUs, and not its exporter once more', () => {
    const cpuOnly = draw`c  T4  [-]`.nodes.map((node) => ({ ...node, gpus: [] }))
    const seen = missing({
      picture: { ...PICTURE, nodes: [...PICTURE.nodes, ...cpuOnly] },
      day: silent(['b', 'c']),
      targets: [target('a', 'up'), target('b', 'down'), target(undefined, 'down')],
    })
    expect(verdicts(seen.observations)).toEqual({
      cluster: 'clear',
      'node/a': 'clear',
      'node/b': 'breach',
      'target/http://a:9400': 'clear',
      'target/http://engine:9400': 'breach',
    })
    expect(seen.complete).toBe(true)
    expect(seen.observations.map(({ message }) => message)).toContain(
      'Node b of Production has GPUs and reports no metrics: their use is unknown, not 0.',
    )
    expect(seen.observations.at(-1)?.message).toBe('The exporter http://engine:9400 of Production is down.')
  })

  test('is not a node of which no reading tells: nothing is over then', () => {
    for (const day of [undefined, silent(undefined)]) {
      const seen = missing({ picture: PICTURE, day })
      expect([verdicts(seen.observations), seen.complete]).toEqual([{ cluster: 'clear' }, false])
    }
  })

  test.each<[string, Partial<AlertEvidence>, string]>([
    ['its API server is away', { connected: false }, 'Its API server is not responding.'],
    ['its data is old', { asOf: instant(NOW - 6 * MINUTE_MS) }, 'Its newest data is old.'],
    [
      'its metrics engine says why',
      { problems: [{ code: 'telemetry-unavailable', message: 'Prometheus answers 503.', object: 'cluster/c' }] },
      'Prometheus answers 503.',
    ],
  ])('is the whole cluster where %s', (_, change, why) => {
    const seen = missing({ ...change, targets: [target('a', 'down')], day: silent(['a']) }).observations[0]
    expect(seen).toMatchObject({
      object: 'cluster',
      verdict: 'breach',
      message: `No new data from Production: its utilization is unknown, not 0. ${why}`,
    })
  })

  test('is known before the first reading only where nothing is set up to be read', () => {
    const problems = [{ code: 'telemetry-not-configured', message: 'No source is set.', object: 'cluster/c' }]
    expect(missing({ asOf: undefined }).observations[0]?.verdict).toBe('unknown')
    expect(missing({ asOf: undefined, problems }).observations[0]?.verdict).toBe('breach')
  })

  test('of a cluster that does not answer says nothing of single exporters', () => {
    const seen = missing({ connected: false, targets: [target('a', 'down')] })
    expect(seen.observations.map(({ object }) => object)).toEqual(['cluster'])
  })

  test('is never missing for less than nothing, whatever the clocks say', () => {
    expect(missing({ asOf: instant(NOW + MINUTE_MS) }).observations[0]).toMatchObject({
      verdict: 'clear',
      figure: { value: 0 },
    })
  })
})

const xids = (picture: AlertEvidence['picture'], xid: number) => {
  const sample = { gpu: 'GPU-a-0', xid } as unknown as JudgedSample
  return observe(evidence({ picture, samples: new Map([['GPU-a-0', sample]]) }), 'xid').observations
}

describe('an XID is told to', () => {
  test('the one namespace that holds the GPU, also where several of its pods do', () => {
    const [seen] = xids(draw`a  A100-SXM4-80GB  [3g.40gb lab/a] [3g.40gb lab/b]`, 13)
    expect(seen).toMatchObject({ namespace: 'lab', tenant: 'research', verdict: 'clear', figure: { value: 13 } })
    expect(seen?.message).toBe('GPU GPU-a-0 on a reports no fault.')
  })

  test.each([
    ['several namespaces hold it', draw`a  A100-SXM4-80GB  [3g.40gb lab/a] [3g.40gb web/b]`],
    ['nobody holds it', draw`a  A100-SXM4-80GB  [-]`],
  ])('no namespace of its own where %s', (_, picture) => {
    expect(xids(picture, 13)).toMatchObject([{ namespace: undefined, tenant: undefined }])
  })
})

import { describe, expect, it } from 'vitest'

import type { NodeRequirement, Taint, Toleration } from './scheduling.ts'
import { nodeRefusal, type PodRules } from './node-rules.ts'

const pod = (rules: Partial<PodRules>): PodRules => ({ nodeSelector: {}, nodeTerms: [], tolerations: [], ...rules })
const size = (operator: NodeRequirement['operator'], ...values: string[]): NodeRequirement => ({
  key: 'size',
  operator,
  values,
})
const passes = (rules: PodRules, label?: string): boolean =>
  nodeRefusal(rules, { labels: label === undefined ? {} : { size: label }, taints: [] }) === undefined

describe('nodeRefusal, as the Kubernetes scheduler filters', () => {
  it.each<readonly [NodeRequirement, string | undefined, boolean]>([
    [size('In', '1', '2'), '2', true],
    [size('In', '1', '2'), '3', false],
    [size('In', '1'), undefined, false],
    [size('NotIn', '1'), '1', false],
    [size('NotIn', '1'), '2', true],
    [size('NotIn', '1'), undefined, true],
    [size('Exists'), '', true],
    [size('Exists'), undefined, false],
    [size('DoesNotExist'), undefined, true],
    [size('DoesNotExist'), '1', false],
    [size('Gt', '8'), '9', true],
    [size('Gt', '8'), '8', false],
    [size('Lt', '8'), '-1', true],
    [size('Gt', '8'), undefined, false],
    // Kubernetes reads whole numbers only: these are none, so they never match.
    [size('Gt', '8'), '10gb', false],
    [size('Gt', '8'), '9.5', false],
    [size('Lt', '8x'), '1', false],
  ])('%j on a node labelled %j: %s', (requirement, label, allowed) => {
    expect(passes(pod({ nodeTerms: [[requirement]] }), label)).toBe(allowed)
  })

  it('needs every requirement of one term, and an empty term matches no node', () => {
    const [exists, absent]: NodeRequirement[] = [
      { key: 'size', operator: 'Exists', values: [] },
      { key: 'zone', operator: 'Exists', values: [] },
    ]
    if (exists === undefined || absent === undefined) throw new Error('two requirements')
    expect(passes(pod({ nodeTerms: [[exists, absent]] }), '1')).toBe(false)
    expect(passes(pod({ nodeTerms: [[exists, absent], [exists]] }), '1')).toBe(true)
    expect(passes(pod({ nodeTerms: [[]] }), '1')).toBe(false)
    expect(passes(pod({ nodeTerms: [[], [exists]] }), '1')).toBe(true)
  })

  it('does not take what every object inherits for a label', () => {
    const inherited: NodeRequirement = { key: 'constructor', operator: 'Exists', values: [] }
    expect(passes(pod({ nodeTerms: [[inherited]] }), '1')).toBe(false)
  })

  it.each<[Partial<Taint>, Partial<Toleration> | undefined, boolean]>([
    [{}, undefined, false],
    [{ effect: 'NoExecute' }, undefined, false],
    [{ effect: 'PreferNoSchedule' }, undefined, true],
    [{}, { operator: 'Exists' }, true],
    [{}, { operator: 'Exists', key: '' }, true],
    [{}, { operator: 'Exists', effect: 'NoExecute' }, false],
    [{}, { operator: 'Equal', value: 'x' }, true],
    [{}, { operator: 'Equal', value: 'y' }, false],
    [{}, { operator: 'Equal', key: '', value: 'x' }, false],
    [{}, { operator: 'Exists', key: 'other' }, false],
  ])('taint %j with toleration %j: %s', (taint, toleration, allowed) => {
    const tolerations = toleration === undefined ? [] : [{ key: 'team', value: '', effect: '', ...toleration }]
    const rules = pod({
      tolerations: tolerations.map((given): Toleration => ({ operator: 'Exists', ...given })),
    })
    const node = { labels: {}, taints: [{ key: 'team', value: 'x', effect: 'NoSchedule', ...taint }] }
    expect(nodeRefusal(rules, node) === undefined).toBe(allowed)
  })
})

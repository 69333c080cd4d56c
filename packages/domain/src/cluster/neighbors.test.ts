import { describe, expect, test } from 'vitest'

import { isControllersLabel, matchLabels } from './neighbors.ts'
import type { NodeRequirement } from './scheduling.ts'

const needs = (operator: NodeRequirement['operator'], key = 'app', ...values: string[]): NodeRequirement => ({
  key,
  operator,
  values,
})
const WEB = { app: 'web' }

describe('whether labels of a template match a selector', () => {
  test.each([
    [needs('In', 'app', 'web', 'api'), 'yes'],
    [needs('In', 'app', 'api'), 'no'],
    [needs('In', 'tier', 'web'), 'no'],
    [needs('In', 'app'), 'no'],
    [needs('NotIn', 'app', 'api'), 'yes'],
    [needs('NotIn', 'app', 'web'), 'no'],
    [needs('NotIn', 'tier', 'web'), 'yes'],
    [needs('Exists'), 'yes'],
    [needs('Exists', 'tier'), 'no'],
    [needs('DoesNotExist', 'tier'), 'yes'],
    [needs('DoesNotExist'), 'no'],
    // Every object has a constructor, and no pod has that label.
    [needs('Exists', 'constructor'), 'no'],
    // Their controller adds this one, and nobody knows its value.
    [needs('In', 'pod-template-hash', 'abc'), 'maybe'],
    [needs('DoesNotExist', 'job-name'), 'maybe'],
    [needs('Gt', 'app', '3'), 'maybe'],
  ] as const)('%j: %s', (requirement, match) => expect(matchLabels([requirement], WEB)).toBe(match))

  test('all of it has to match: one that does not decides, then one that may', () => {
    const [yes, no, maybe] = [needs('Exists'), needs('Exists', 'tier'), needs('Exists', 'job-name')]
    expect(matchLabels([yes, maybe, no], WEB)).toBe('no')
    expect(matchLabels([yes, maybe], WEB)).toBe('maybe')
    expect(matchLabels([yes, yes], WEB)).toBe('yes')
    expect(matchLabels([], WEB)).toBe('yes')
  })

  test('a label that the template itself has is no riddle, whoever sets it otherwise', () => {
    expect(matchLabels([needs('In', 'job-name', 'a')], { 'job-name': 'a' })).toBe('yes')
    expect(matchLabels([needs('In', 'job-name', 'a')], { 'job-name': 'b' })).toBe('no')
  })
})

test.each([
  ['pod-template-hash', true],
  ['batch.kubernetes.io/job-completion-index', true],
  ['jobset.sigs.k8s.io/jobset-name', true],
  ['training.kubeflow.org/replica-type', true],
  ['app.kubernetes.io/name', false],
  ['my-job-name', false],
  ['example.com/batch.kubernetes.io', false],
])('%s is given by controllers: %s', (key, given) => expect(isControllersLabel(key)).toBe(given))

import { expect, test } from 'vitest'

import { TestedDemo, type Answer } from '../demo.fixture.ts'

const demo = new TestedDemo()
const ADMISSION = '/apis/admissionregistration.k8s.io/v1/validatingadmission'
const MAP = '/api/v1/namespaces/gpu-operator/configmaps/custom-mig-config'
const NAMED = `configmaps "custom-mig-config" is forbidden: ValidatingAdmissionPolicy 'test' with binding 'bound' denied request:`

const policy = (validation: object, more: object = {}): Promise<Answer> => {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE', 'DELETE'], resources: ['configmaps'] }
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [validation], ...more }
  return demo.call('POST', `${ADMISSION}policies`, { body: { metadata: { name: 'test' }, spec } })
}
const bind = (...validationActions: readonly string[]): Promise<Answer> =>
  demo.call('POST', `${ADMISSION}policybindings`, {
    body: { metadata: { name: 'bound' }, spec: { policyName: 'test', validationActions } },
  })
const change = (data: object = { a: 'b' }): Promise<Answer> => demo.patch(MAP, { data })

test('a write is denied in the words of the first validation that does not hold, once a binding says so', async () => {
  const expression = `object.data.?a == oldObject.data.?a || variables.known`
  const variables = [{ name: 'known', expression: "request.userInfo.username != 'demo'" }]
  await policy({ expression, messageExpression: "'no a for ' + request.name", reason: 'Forbidden' }, { variables })
  expect((await change({ a: '1' })).status).toBe(200)
  await bind('Deny')
  expect((await change()).body).toMatchObject({ code: 403, message: `${NAMED} no a for custom-mig-config` })
  expect((await change({ b: 'c' })).status).toBe(200)
  expect((await demo.call('DELETE', MAP)).body).toMatchObject({ code: 422, message: expect.stringContaining('error') })
})

test('an expression that fails denies, unless failures are ignored; without a message it is told', async () => {
  await policy({ expression: "object.data['none'] == ''" })
  await bind('Deny')
  const message = `${NAMED} expression 'object.data['none'] == ''' resulted in error: no such key: none`
  expect((await change()).body).toMatchObject({ code: 422, reason: 'Invalid', message, details: { causes: [{}] } })
  await demo.patch(`${ADMISSION}policies/test`, { spec: { failurePolicy: 'Ignore' } })
  expect((await change()).status).toBe(200)
  await demo.patch(`${ADMISSION}policies/test`, { spec: { validations: [{ expression: 'false' }] } })
  expect((await change()).body['message']).toBe(`${NAMED} failed expression: false`)
})

test('a binding that only warns lets the write through, and says so in a header', async () => {
  await policy({ expression: 'false', message: 'think again' })
  await bind('Warn')
  const { status, headers } = await change()
  const text = `Validation failed for ValidatingAdmissionPolicy 'test' with binding 'bound': think again`
  expect([status, headers.get('warning')]).toEqual([200, `299 - ${JSON.stringify(text)}`])
})

test('who is not meant is not asked about', async () => {
  const matchConditions = [{ name: 'who', expression: "request.userInfo.username == 'somebody'" }]
  await policy({ expression: 'false' }, { matchConditions })
  await bind('Deny')
  expect((await change()).status).toBe(200)
})

test('what could not be put in force is refused, and what the demo does not evaluate is said', async () => {
  expect((await policy({ expression: 'object.spec.replicas <' })).body).toMatchObject({
    code: 422,
    details: { causes: [{ field: 'spec.validations[0].expression' }] },
  })
  expect((await policy({ expression: 'true' }, { paramKind: { kind: 'ConfigMap' } })).status).toBe(501)
  expect((await bind('Deny', 'Warn')).body['message']).toContain('must not contain both Deny and Warn')
})

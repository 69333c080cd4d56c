import { describe, expect, test } from 'vitest'

import { FAULT_XIDS, faultOf, isLost } from './gpu-fault.ts'

describe('an XID', () => {
  test.each([
    [48, 'gpu-fault', 'a double-bit memory error'],
    [54, 'gpu-lost', 'auxiliary power is missing'],
    [74, 'gpu-fault', 'an NVLink error'],
    [79, 'gpu-lost', 'it fell off the bus'],
    [95, 'gpu-fault', 'it needs a reset'],
    [150, 'gpu-fault', 'an NVLink error'],
  ])('%d stands for a fault of the GPU: %s', (xid, code, means) => {
    const fault = faultOf(xid, 'GPU-1', 'a')
    expect(fault).toMatchObject({ code, object: 'gpu/GPU-1' })
    expect(fault?.message).toContain(`GPU GPU-1 on a reported XID ${xid}: ${means}. `)
    expect(isLost({ fault })).toBe(code === 'gpu-lost')
  })

  // Of the application (13, 31, 43, 45), informational (63, 92, 94), no fault, and not told.
  test.each([13, 31, 43, 45, 63, 92, 94, 0, undefined])('%s is none', (xid) => {
    expect(faultOf(xid, 'GPU-1', 'a')).toBeUndefined()
  })

  test('that is a fault is listed once, and each that is listed says what to do', () => {
    expect(new Set(FAULT_XIDS).size).toBe(FAULT_XIDS.length)
    for (const xid of FAULT_XIDS) expect(faultOf(xid, 'GPU-1', 'a')?.message).toMatch(/\. [A-Z].+\.$/u)
  })
})

test('a GPU without a fault is not lost', () => expect(isLost({ fault: undefined })).toBe(false))

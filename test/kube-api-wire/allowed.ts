/** Steps that the demo answers otherwise than a real server, and why nobody misses it. */
const ALLOWED: readonly { readonly file: string; readonly steps: readonly number[]; readonly because: string }[] = [
  { file: '1-delete', steps: [205], because: 'the demo takes away the pods of a node that is gone' },
  {
    file: '2-write',
    steps: [49, 52, 54, 57],
    because: 'the demo keeps no schemas of fields: Septet asks for no field validation',
  },
  { file: '2-write', steps: [61, 62], because: 'no controller makes pods of a Deployment that people make' },
  { file: '2b-write-more', steps: [27], because: 'the demo keeps no schemas of fields' },
  { file: '3-eviction', steps: [63], because: 'what a budget asks for is not checked: Septet makes none' },
  {
    file: '3b-eviction-more',
    steps: [14, 15],
    because: 'no controller follows what people make: neither new pods nor a budget',
  },
  {
    file: '4-lists-watches',
    steps: [35, 102, 104, 105],
    because:
      'the record begins in the middle of a history; the demo says 400 of a version that is none, and takes any label',
  },
  {
    file: '4-lists-watches',
    steps: [113, 114, 115, 119, 120],
    because: 'the demo is not compacted: that it has forgotten is tested apart',
  },
  { file: '5-errors', steps: [71, 72, 73], because: 'the demo has no limits of size below that of a request' },
  {
    file: '5-errors',
    steps: [81, 82, 86, 87, 88, 90, 93, 97, 100, 103, 106, 112, 113, 123, 138],
    because: 'pods and workloads are checked by real servers: Septet makes none',
  },
  { file: '5-errors', steps: [108], because: 'a priority class may change: Septet writes none' },
  { file: '5-errors', steps: [110, 111, 139, 140], because: 'the demo takes every namespace, and ends none' },
  {
    file: '5-errors',
    steps: [119, 120, 121, 122],
    because: 'a Job gets no labels of its own, and may change while it is suspended',
  },
  {
    file: '5-errors',
    steps: [146, 147, 150, 151, 154, 156, 157, 159, 160, 161, 162],
    because: 'the demo asks mutating webhooks, and of pods alone',
  },
  { file: '5b-overload', steps: [2, 3, 5], because: 'the demo turns away writes only' },
  { file: '6-authn-authz', steps: [8], because: 'there is a ServiceAccount of every name' },
  { file: '6-authn-authz', steps: [20, 55], because: 'the demo binds no token to a pod' },
  { file: '6-authn-authz', steps: [23], because: 'the tokens of the demo’s own callers are none of a ServiceAccount' },
  { file: '6-authn-authz', steps: [59, 60], because: 'a ServiceAccount is never gone' },
  {
    file: '6b-token-cache',
    steps: [2, 3, 6, 7],
    because: 'a ServiceAccount is never gone, and tokens are bound to no pod',
  },
  {
    file: '8-new-kinds',
    steps: [24, 27, 28, 29, 33, 40, 47, 48],
    because: 'slices, claims and classes are checked by real servers: Septet makes none',
  },
  { file: '8-new-kinds', steps: [46], because: 'no controller makes claims of pods that people make' },
  { file: '8-new-kinds', steps: [73], because: 'the demo knows one form of discovery' },
  {
    file: '8b-new-kinds-gates-on',
    steps: [1, 3, 4, 5, 10, 24, 25],
    because: 'slices, claims and classes are checked by real servers: Septet makes none',
  },
  { file: '8b-new-kinds-gates-on', steps: [23], because: 'no controller makes claims of pods that people make' },
  { file: '9-scheduler', steps: [2, 4, 9, 10, 12, 13, 18, 21], because: 'a scheduler that ran outside the record' },
]

export const isAllowed = (file: string, index: number): boolean =>
  ALLOWED.some((each) => each.file === file && each.steps.includes(index))

/** The steps of a file that may differ. */
export const allowedIn = (file: string): readonly number[] =>
  ALLOWED.filter((each) => each.file === file)
    .flatMap(({ steps }) => steps)
    .toSorted((a, b) => a - b)

import { restrictedViewersBehave } from './restricted-viewers.fixture.ts'

// The sweep goes through more clusters: restricted-viewers.long.test.ts.
restrictedViewersBehave(3)

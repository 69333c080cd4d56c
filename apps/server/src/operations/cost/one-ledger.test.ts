import { oneLedgerHolds } from './one-ledger.fixture.ts'

// Summer time ended in October in one of them; the other's hours begin at a quarter. All are in one-ledger.long.test.ts.
oneLedgerHolds(['Europe/Berlin', 'Asia/Kathmandu'])

import { oneLedgerHolds } from './one-ledger.fixture.ts'

oneLedgerHolds(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu'])

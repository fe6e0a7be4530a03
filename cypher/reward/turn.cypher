// Wait until no other distribution runs; the lock lasts as long as the transaction
// mode: write
// params: none
// returns: nothing
// source: [000.distribute]
MERGE (gate:WriteGate {name: 'distribute'})
SET gate.lockedAt = timestamp()

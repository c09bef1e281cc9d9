-- A cancel that is told to its acquirer again waits until what was asked for of the same payment before is taken back: the
-- acquirer would refuse to release what it holds as captured still. Few rows are being taken back at any time.

create index issuer_attempt_taken_back on issuer_attempt (payee_id, payment_id) where state = 'REVERSING';

ALTER TABLE once_ledger.effect_attempt
    ADD COLUMN deadline timestamptz,
    ADD COLUMN actor    text;
COMMENT ON COLUMN once_ledger.effect_attempt.deadline IS 'Until when a callback is awaited.';
COMMENT ON COLUMN once_ledger.effect_attempt.actor IS
    'Who said so, when a person resolved an effect whose outcome was unknown; the reason stands in detail.';
CREATE INDEX effect_ended ON once_ledger.effect (updated_at) WHERE status IN ('SETTLED', 'TOMBSTONED');

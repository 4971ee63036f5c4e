CREATE TABLE once_ledger.effect (
    effect_id      text        NOT NULL,
    received_at    timestamptz NOT NULL,
    request_id     text        NOT NULL,
    route          text        NOT NULL,
    class          text        NOT NULL,
    fingerprint    text,
    status         text        NOT NULL CHECK (status IN ('STARTED', 'SETTLED', 'RELEASED', 'TOMBSTONED')),
    attempt        integer     NOT NULL,
    request_body   bytea,
    lease_token    bigint      NOT NULL,
    lease_owner    text,
    lease_until    timestamptz,
    in_doubt       boolean     NOT NULL DEFAULT false,
    first_sent_at  timestamptz,
    last_sent_at   timestamptz,
    tombstoned_at  timestamptz,
    result         text        CHECK (result IN
                       ('SUCCEEDED', 'RETRYABLE', 'FAILED', 'UNKNOWN', 'AWAITING_CALLBACK', 'MALFORMED')),
    detail         text,
    reference      text,
    retry_after_ms bigint,
    deadline       timestamptz,
    outcome_at     timestamptz,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (effect_id, received_at),
    CHECK (status <> 'SETTLED' OR result IS NOT NULL),
    CHECK (status = 'TOMBSTONED' OR fingerprint IS NOT NULL)
);
COMMENT ON TABLE once_ledger.effect IS 'One row per effect and life of its request_id: what was started, with which bytes, and what became of it.';
COMMENT ON COLUMN once_ledger.effect.received_at IS
    'When the request was received: tells the lives of a request_id apart that is accepted again after its retention.';
COMMENT ON COLUMN once_ledger.effect.status IS
    'STARTED: a claim is out. SETTLED: the outcome is known. RELEASED: claimed but certainly not sent. TOMBSTONED: never seen, and compensated.';
COMMENT ON COLUMN once_ledger.effect.lease_token IS 'Grows with every claim; an outcome stored under an older one is fenced.';
COMMENT ON COLUMN once_ledger.effect.in_doubt IS 'A send before the present claim may have taken effect.';
COMMENT ON COLUMN once_ledger.effect.first_sent_at IS 'Start of the window in which the receiver remembers the key.';
CREATE INDEX effect_request ON once_ledger.effect (request_id);
CREATE INDEX effect_open ON once_ledger.effect (lease_until) WHERE status = 'STARTED';
CREATE INDEX effect_unknown ON once_ledger.effect (updated_at) WHERE result = 'UNKNOWN';

CREATE TABLE once_ledger.effect_attempt (
    effect_id      text        NOT NULL,
    received_at    timestamptz NOT NULL,
    attempt        integer     NOT NULL,
    lease_token    bigint      NOT NULL,
    lease_owner    text        NOT NULL,
    fenced         boolean     NOT NULL,
    result         text        NOT NULL,
    detail         text        NOT NULL,
    reference      text,
    retry_after_ms bigint,
    outcome_at     timestamptz NOT NULL,
    PRIMARY KEY (effect_id, received_at, attempt, lease_token)
);
COMMENT ON TABLE once_ledger.effect_attempt IS 'One row per outcome of an attempt.';
COMMENT ON COLUMN once_ledger.effect_attempt.fenced IS
    'Came after another task had taken the claim over; kept for people, not acted on.';

CREATE TABLE once_ledger.billing (
    request_id      text        NOT NULL,
    received_at     timestamptz NOT NULL,
    turn            integer     NOT NULL,
    effect_id       text        NOT NULL,
    snapshot_sha256 text        NOT NULL,
    provider        text,
    model           text        NOT NULL,
    input_tokens    bigint      NOT NULL,
    output_tokens   bigint      NOT NULL,
    cost_nanos      bigint      NOT NULL,
    currency        text        NOT NULL,
    price_table     text,
    billed_at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (request_id, received_at, turn),
    UNIQUE (effect_id, received_at)
);
COMMENT ON TABLE once_ledger.billing IS 'One row per snapshot; the sum of cost_nanos is what the models have cost.';
COMMENT ON COLUMN once_ledger.billing.cost_nanos IS 'Cost in 1e-9 of the currency.';

// The counters, the latencies and the instances, from GET /v1/overview.

import { by, fill, make } from './dom.js';
import { clock, number, span, words } from './words.js';

const WINDOW = 300000;
const PERCENTILES = [0.5, 0.95, 0.99];
const STAGES = ['total', 'queue', 'model', 'settle', 'overhead'];

/** What was told in the last minutes, the oldest first. */
const told = [];

function tile(name, value, more, bad) {
  return make('div', { class: bad ? 'bad' : undefined }, make('dt', {}, name), make('dd', {}, value, more ? make('small', {}, more) : ''));
}

function counters(overview) {
  const w = words();
  const { requests = {}, endings = {}, open = {}, model_calls: calls = {}, outbox = {} } = overview.total;
  const read = requests.accepted + requests.duplicate + requests.conflicting + requests.rejected;
  const paused = overview.instances.filter((one) => one.gateway && one.gateway !== 'DISPATCHING');
  const age = (seconds) => (seconds > 0 ? w.oldest(span(seconds)) : '');
  const tiles = {
    accepted: tile(w.accepted, number(requests.accepted ?? 0)),
    duplicates: tile(w.duplicates, number(requests.duplicate ?? 0)),
    hit_rate: tile(w.hit_rate, read ? `${(100 * requests.duplicate / read).toFixed(1)} %` : '–'),
    conflicting: tile(w.conflicting, number(requests.conflicting ?? 0)),
    rejected: tile(w.rejected, number(requests.rejected ?? 0)),
    in_flight: tile(w.in_flight, number(calls.running ?? 0), w.of_slots(number(calls.slots ?? 0))),
    pending: tile(w.pending, number(open.pending ?? 0), age(overview.total.pending_oldest_age_seconds)),
    acknowledged: tile(w.effects_out, number(open.acknowledged ?? 0)),
    outbox: tile(w.outbox, number(outbox.waiting ?? 0), age(outbox.oldest_age_seconds)),
    committed: tile(w.committed, number(endings.committed ?? 0)),
    failed: tile(w.failed, number(endings.failed ?? 0)),
    unknown: tile(w.unknown, number(overview.total.effects_unknown ?? 0), '', overview.total.effects_unknown > 0),
    held: tile(w.held, number(open.held ?? 0), '', open.held > 0),
    compensating: tile(w.compensating, number(open.compensating ?? 0)),
    paused: tile(w.paused, paused.length ? w.yes_paused : w.not_paused, paused.map((one) => one.gateway).join(', '), paused.length > 0),
  };
  fill(by('counters'), Object.entries(tiles).map(([key, element]) => {
    element.id = `count-${key}`;
    return element;
  }));
  const starts = overview.instances.map((one) => one.since).filter(Boolean).sort();
  by('counted').textContent = w.counted(span(overview.total.counted_age_seconds), starts.length ? clock(starts[0]) : '–');
}

const name = (instance) => instance.address ?? words().this_one;

/** Said again only when it changes: it is read aloud. */
let lastTrouble;

function trouble(overview) {
  const lines = overview.instances.filter((one) => one.answers && !one.ready)
    .map((one) => `${name(one)}: ${(one.reasons ?? []).join('; ') || one.state}`);
  if (!overview.complete) {
    lines.push(words().partial);
  }
  if (lastTrouble !== lines.join('\n')) {
    lastTrouble = lines.join('\n');
    fill(by('trouble'), lines.map((line) => make('p', { class: 'trouble' }, line)));
  }
}

/** Up to which seconds that share of the requests took: between two bounds as if they were spread evenly. */
export function percentile(stage, share) {
  const bounds = Object.entries(stage.up_to_seconds ?? {}).map(([bound, count]) => [Number(bound), count]).sort((a, b) => a[0] - b[0]);
  const wanted = share * stage.count;
  let low = 0;
  let below = 0;
  for (const [bound, count] of bounds) {
    if (count >= wanted && count > below) {
      return low + (bound - low) * ((wanted - below) / (count - below));
    }
    low = bound;
    below = count;
  }
  return stage.count > 0 ? low : NaN;
}

/** What has come between two tellings; undefined when there is nothing, or an instance went away in between. */
function between(before, now) {
  const count = now.count - (before?.count ?? NaN);
  if (!(count > 0)) {
    return undefined;
  }
  return { count, up_to_seconds: Object.fromEntries(Object.entries(now.up_to_seconds).map(([bound, n]) => [bound, n - (before.up_to_seconds[bound] ?? 0)])) };
}

function latency(overview) {
  const w = words();
  const first = told[0]?.total.latency ?? {};
  const rows = STAGES.filter((stage) => overview.total.latency?.[stage]).map((stage) => {
    const all = overview.total.latency[stage];
    const fresh = between(first[stage], all);
    const shown = fresh ?? all;
    return make('tr', {}, make('th', { scope: 'row' }, w.stages[stage]),
      PERCENTILES.map((share) => make('td', {}, span(percentile(shown, share)))),
      make('td', {}, number(shown.count)), make('td', {}, fresh ? w.last_minutes : w.since_start));
  });
  const head = [w.stage, 'p50', 'p95', 'p99', w.requests, w.window].map((text) => make('th', { scope: 'col' }, text));
  fill(by('latency'), make('thead', {}, make('tr', {}, head)), make('tbody', {}, rows));
}

function instances(overview) {
  const w = words();
  const head = [w.instance, w.state, w.running, w.open_work, w.accepted, w.why].map((text) => make('th', { scope: 'col' }, text));
  const rows = overview.instances.map((one) => {
    const open = Object.values(one.figures?.open ?? {}).reduce((sum, n) => sum + n, 0);
    return make('tr', {}, make('th', { scope: 'row' }, name(one)),
      make('td', {}, one.answers ? `${one.state}, ${one.ready ? w.ready : w.not_ready}` : w.silent),
      make('td', {}, number(one.figures?.model_calls.running ?? 0)), make('td', {}, number(open)),
      make('td', {}, number(one.figures?.requests.accepted ?? 0)), make('td', { class: 'long' }, (one.reasons ?? []).join('; ')));
  });
  fill(by('instances'), make('thead', {}, make('tr', {}, head)), make('tbody', {}, rows));
}

/** Shows what was told, or again what was told last. */
export function show(overview) {
  if (overview) {
    told.push({ ...overview, heard: Date.now() });
    while (told.length > 2 && told[1].heard < Date.now() - WINDOW) {
      told.shift();
    }
  }
  const last = told.at(-1);
  if (last) {
    lastTrouble = overview ? lastTrouble : undefined;
    counters(last);
    trouble(last);
    latency(last);
    instances(last);
  }
}

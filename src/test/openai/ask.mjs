// Asks once with the client as it is, its own retries included, and prints what came of it as one line of JSON.
// node ask.mjs BASE_URL KEY whole|stream TEXT
import OpenAI from 'openai';

const [baseURL, key, mode, text] = process.argv.slice(2);
let tries = 0;
const client = new OpenAI({
  baseURL,
  apiKey: 'sender',
  maxRetries: 12,
  timeout: 120_000,
  // The client's own way of sending, counted.
  fetch: (url, init) => {
    tries += 1;
    return fetch(url, init);
  },
});
const body = { model: 'simulated-1', messages: [{ role: 'user', content: text }], temperature: 0.2 };
const options = { headers: { 'Idempotency-Key': key } };

async function whole() {
  const completion = await client.chat.completions.create(body, options);
  return { id: completion.id, content: completion.choices[0].message.content, usage: completion.usage };
}

async function stream() {
  const chunks = await client.chat.completions.create(
    { ...body, stream: true, stream_options: { include_usage: true } },
    options,
  );
  const all = { id: '', content: '', usage: null, chunks: 0 };
  for await (const chunk of chunks) {
    all.id = chunk.id;
    all.content += chunk.choices[0]?.delta?.content ?? '';
    all.usage = chunk.usage ?? all.usage;
    all.chunks += 1;
  }
  return all;
}

try {
  console.log(JSON.stringify({ ...(mode === 'stream' ? await stream() : await whole()), tries }));
} catch (error) {
  console.log(JSON.stringify({ error: error.constructor.name, status: error.status, code: error.code, tries }));
}

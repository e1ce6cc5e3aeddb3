/** `node:stream/consumers`: the whole of a stream. */
import { Buffer } from "./buffer.js";

type Source = AsyncIterable<unknown>;

export async function buffer(source: Source): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export async function arrayBuffer(source: Source): Promise<ArrayBuffer> {
  const all = await buffer(source);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length) as ArrayBuffer;
}

export const text = async (source: Source): Promise<string> => (await buffer(source)).toString();
export const json = async (source: Source): Promise<unknown> => JSON.parse(await text(source)) as unknown;
export default { arrayBuffer, buffer, json, text };

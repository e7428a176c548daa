const chunkBytes = 64 * 1024;

/** Called with the number of bytes of a request body handed to the network. */
export type SendProgress = (sent: number, total: number) => void;

/** A form as a stream, with its headers. */
export interface CountedBody {
  headers: Record<string, string>;
  stream: ReadableStream<Uint8Array>;
}

/** Encodes a form as a stream that reports its progress. */
export async function countedBody(form: FormData, progress: SendProgress): Promise<CountedBody> {
  const encoded = new Response(form);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  let sent = 0;
  return {
    headers: {
      'content-type': encoded.headers.get('content-type') ?? '',
      'content-length': String(bytes.length),
    },
    stream: new ReadableStream(
      {
        pull(controller) {
          if (sent === bytes.length) return controller.close();
          const chunk = bytes.subarray(sent, sent + chunkBytes);
          sent += chunk.length;
          controller.enqueue(chunk);
          progress(sent, bytes.length);
        },
      },
      { highWaterMark: 0 },
    ),
  };
}

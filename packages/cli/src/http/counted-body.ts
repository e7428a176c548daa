const chunkBytes = 64 * 1024;

/** Is told how many bytes of a request's body were handed to the network. */
export type SendProgress = (sent: number, total: number) => void;

/** A form as a stream that says how far it is, with the headers that describe it. */
export interface CountedBody {
  headers: Record<string, string>;
  stream: ReadableStream<Uint8Array>;
}

/** A form as a body that is counted while it is read. Each call gives a new one of the same content. */
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

import type { Checked, Problem } from '@bomtrail/api-contract';
import type { Exchange, Received } from '../call';
import { callerOn } from '../authenticate';
import { hasBody, startBody, untilBodyBegins, usualBeginningMs } from '../body-start';
import { clientOn } from '../client-on';
import { warnOfIgnoredFields } from '../ignored-input';
import { expectMediaType } from '../media-type';
import { atPace, usualPace, type Pace } from '../pace';
import type { AdmissionQueue } from '../../uploads/admission-queue';
import { senderOf } from '../../uploads/sender';
import { readForm, type UploadForm } from './read-form';
import type { ReceiveFileOptions } from '../../uploads/received-file';

/** Time limits for slow clients: until the body begins, and while it is transferred. */
export interface UploadPatience {
  beginningMs: number;
  pace: Pace;
}

export const usualPatience: UploadPatience = { beginningMs: usualBeginningMs, pace: usualPace };

export interface ReceiveUploadDeps extends ReceiveFileOptions {
  admission: AdmissionQueue;
  patience: UploadPatience;
}

/**
 * Reads an upload once its body has begun and a slot is free. The file exists until `dispose`,
 * which also releases the slot. The value of the body is the form's fields and `file`, a
 * `ReceivedFile`.
 */
export function receiveUpload(deps: ReceiveUploadDeps): (exchange: Exchange) => Promise<Received> {
  return async ({ request, response, operation }) => {
    if (!hasBody(request)) {
      return { body: { ok: false, problems: [missing(['body'])] }, dispose: async () => {} };
    }
    expectMediaType(request, 'multipart/form-data');
    const gone = new AbortController();
    const leave = () => gone.abort();
    request.once('close', leave);
    startBody(request, response);
    await untilBodyBegins(request, gone.signal, deps.patience.beginningMs);
    const sender = senderOf(callerOn(response), clientOn(response));
    const slot = await deps.admission.enter(gone.signal, sender);
    request.off('close', leave);
    try {
      const read = (tooSlow: AbortSignal) => readForm(request, { ...deps, tooSlow });
      const form = await atPace(request, read, deps.patience.pace);
      slot.received(form.file?.size ?? 0);
      warnOfIgnoredFields(operation, form.fields, response);
      const dispose = async (): Promise<void> => {
        try {
          await form.file?.dispose();
        } finally {
          slot.leave();
        }
      };
      return { body: checked(operation.validators.form(form.fields), form), dispose };
    } catch (error) {
      slot.leave();
      throw error;
    }
  };
}

function checked(fields: Checked<object>, { file, fileCount }: UploadForm): Checked<unknown> {
  const problems: Problem[] = fields.ok ? [] : [...fields.problems];
  if (fileCount === 0) problems.push(missing(['body', 'file']));
  if (fileCount > 1) problems.push(tooManyFiles(fileCount));
  return fields.ok && problems.length === 0
    ? { ok: true, value: { ...fields.value, file } }
    : { ok: false, problems };
}

function missing(loc: string[]): Problem {
  return { loc, msg: 'Field required', type: 'missing', input: null };
}

function tooManyFiles(count: number): Problem {
  const error = `send exactly one file, not ${count}`;
  return {
    loc: ['body', 'file'],
    msg: `Value error, ${error}`,
    type: 'value_error',
    ctx: { error },
  };
}

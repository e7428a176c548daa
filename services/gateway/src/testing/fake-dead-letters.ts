import * as messages from '@bomtrail/messages';
import { expectThe, type Fake } from './fake';
import { instant } from './fake-data';

export const deadLetterId = 7;

const letter: messages.DeadLetterView = {
  id: deadLetterId,
  dead_lettered_at: instant,
  consumer: 'scanner-uploads',
  service: 'scanner',
  stream: 'WORK',
  subject: `${messages.scanRequested.name}.upload.1`,
  attempts: 8,
  reason: 'The components of this SBOM cannot be read.',
};

/** Plays the one dead letter. */
export function fakeDeadLetters(play: Fake): void {
  const expectLetter = ({ id }: { id: number }): void =>
    expectThe(id === deadLetterId, 'dead_letter_not_found');
  play(messages.listDeadLetters, ({ consumer, after }) => ({
    items:
      after < deadLetterId && (consumer ?? letter.consumer) === letter.consumer ? [letter] : [],
    has_more: false,
    consumers: [{ consumer: letter.consumer, letters: 1 }],
  }));
  play(messages.readDeadLetter, (named) => {
    expectLetter(named);
    return { letter, message: { sbom_id: 'x' }, base64: null };
  });
  play(messages.replayDeadLetter, (named) => {
    expectLetter(named);
    return { replayed: true };
  });
  play(messages.deleteDeadLetter, (named) => {
    expectLetter(named);
    return { deleted: true };
  });
}

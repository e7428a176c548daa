export { OperatorError, reasonOf, systemCodeOf } from './operator-error';
export { stopSignal, untilStopped } from './stop-signal';

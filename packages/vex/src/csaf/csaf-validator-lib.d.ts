// Parts of @secvisogram/csaf-validator-lib that are used; the package has no types of its own.
declare module '@secvisogram/csaf-validator-lib/mandatoryTests.js' {
  interface Result {
    isValid?: boolean;
    errors?: { message: string; instancePath: string }[];
  }
  export type MandatoryTest = (document: unknown) => Result | Promise<Result>;
  /** One of 43: section 6.1.1. */
  export const mandatoryTest_6_1_1: MandatoryTest;
}

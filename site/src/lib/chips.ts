// The commands of "What you get", by page and number; each opens its entry in the reference.
const CHIPS: Record<string, string[][]> = {
  locks: [['SET NX PX'], ['DELEX IFEQ'], ['PTTL', 'PEXPIRE'], ['DIGEST', 'DELEX IFDEQ'], ['LOCK']],
  stampede: [['GET', 'SET NX PX'], ['SET EX'], ['PTTL'], ['DELEX IFEQ']],
  fencing: [['LOCK'], ['LOCKINFO'], ['UNLOCK'], ['SET NX PX']],
  redlock: [['SET NX PX'], ['DELEX IFEQ'], ['PTTL'], ['LOCK']],
};

export function chipsOf(page: string, number: number): string[] {
  return CHIPS[page]?.[number - 1] ?? [];
}

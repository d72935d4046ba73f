/** The clients of "Copy as", in the order of their tabs: name as argument of copyAs, and label. */
export const CLIENTS = [
  { id: 'redis-cli', label: 'redis-cli' },
  { id: 'python', label: 'Python' },
  { id: 'node', label: 'Node' },
  { id: 'java', label: 'Java' },
  { id: 'go', label: 'Go' },
  { id: 'cpp', label: 'C++' },
];

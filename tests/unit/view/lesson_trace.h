// A small lock lesson as the simulation writes it, for the tests of the view: two workers, one
// node; A takes the lock, B is refused, A's link is cut with a message on it.
#pragma once

#include <vector>

#include "web/view/trace_reader.h"

namespace hotkv::view {

inline constexpr Bytes kLockTrace =
    R"({"event":"actor","at_us":0,"actor":"n1","kind":"node","title":"n1"}
{"event":"actor","at_us":0,"actor":"A","kind":"client","title":"Worker A"}
{"event":"actor","at_us":0,"actor":"B","kind":"client","title":"Worker B"}
{"event":"link","at_us":0,"link":"A-n1","from":"A","to":"n1","latency_us":12000,"spread_us":3000}
{"event":"link","at_us":0,"link":"B-n1","from":"B","to":"n1","latency_us":14000,"spread_us":3000}
{"event":"server-started","at_us":0,"source":"n1","run_id":"6e68","epoch":0}
{"event":"step-begun","at_us":1000,"step":"take"}
{"event":"client-sent","at_us":1000,"client":"A","line":"SET lock:x tok-a NX PX 30000"}
{"event":"sent","at_us":1000,"message":"A-n1#1","link":"A-n1","from":"A","to":"n1","kind":"request","label":"SET lock:x tok-a NX PX 30000","resp":"*6\u000d\u000a","bytes":77,"due_us":11000,"cause":""}
{"event":"delivered","at_us":11000,"message":"A-n1#1"}
{"event":"key-set","at_us":11000,"source":"n1","db":0,"key":"lock:x","value":"tok-a","deadline_ms":1767225630011}
{"event":"sent","at_us":11000,"message":"n1-A#1","link":"A-n1","from":"n1","to":"A","kind":"reply","label":"OK","resp":"+OK\u000d\u000a","bytes":5,"due_us":23000,"cause":"A-n1#1"}
{"event":"delivered","at_us":23000,"message":"n1-A#1"}
{"event":"holds","at_us":23000,"client":"A","key":"lock:x","token":"tok-a","until_us":30001000}
{"event":"counter","at_us":23000,"counter":"acquire","value":1}
{"event":"client-reply","at_us":23000,"client":"A","line":"SET lock:x tok-a NX PX 30000","text":"OK","resp":"+OK\u000d\u000a"}
{"event":"step-ended","at_us":23000,"step":"take"}
{"event":"step-begun","at_us":24000,"step":"refused"}
{"event":"client-sent","at_us":24000,"client":"B","line":"SET lock:x tok-b NX PX 30000"}
{"event":"sent","at_us":24000,"message":"B-n1#1","link":"B-n1","from":"B","to":"n1","kind":"request","label":"SET lock:x tok-b NX PX 30000","resp":"*6\u000d\u000a","bytes":77,"due_us":38000,"cause":""}
{"event":"delivered","at_us":38000,"message":"B-n1#1"}
{"event":"sent","at_us":38000,"message":"n1-B#1","link":"B-n1","from":"n1","to":"B","kind":"reply","label":"-WRONGTYPE","resp":"-WRONGTYPE no\u000d\u000a","bytes":5,"due_us":50000,"cause":"B-n1#1"}
{"event":"delivered","at_us":50000,"message":"n1-B#1"}
{"event":"client-reply","at_us":50000,"client":"B","line":"SET lock:x tok-b NX PX 30000","text":"(error) WRONGTYPE no","resp":"-WRONGTYPE no\u000d\u000a"}
{"event":"step-ended","at_us":50000,"step":"refused"}
{"event":"client-sent","at_us":60000,"client":"A","line":"PTTL lock:x"}
{"event":"sent","at_us":60000,"message":"A-n1#2","link":"A-n1","from":"A","to":"n1","kind":"request","label":"PTTL lock:x","resp":"*2\u000d\u000a","bytes":37,"due_us":70000,"cause":""}
{"event":"fault","at_us":64000,"action":"cut","target":"A-n1","ms":0}
{"event":"fault","at_us":90000,"action":"heal","target":"A-n1","ms":0}
{"event":"delayed","at_us":90000,"message":"A-n1#2","due_us":110000}
{"event":"lost","at_us":100000,"message":"A-n1#2","reason":"dropped"}
{"event":"fault","at_us":120000,"action":"pause","target":"A","ms":40}
{"event":"fault","at_us":130000,"action":"clock","target":"n1","ms":1000}
{"event":"invariant-broken","at_us":140000,"invariant":"mutex","detail":"A and B hold lock:x"}
{"event":"goal-reached","at_us":140000,"goal":"b-wins"}
{"event":"fault","at_us":150000,"action":"kill","target":"n1","ms":0}
{"event":"key-removed","at_us":29011000,"source":"n1","db":0,"key":"lock:x","reason":"expired"}
)";

inline std::vector<Event> lock_events() { return read_trace(kLockTrace); }

}  // namespace hotkv::view
